"""The mind of somebody who plays: they understand a level bit by bit.

A level's recorded solution is the plan. A person foresees its beginning, acts on it, tries ideas where it
ends, and foresees more after each idea that failed. Ideas are walks, tests in order, or variations of the
plan. Whoever is off the plan goes back by the opposite direction or undo, or begins the level anew.
"""

from playtest.rehearsal.people.steps import CLICK, RESET, UNDO, Play, Press, Solution
from tools.effort_flags.unseen.body import LOOK, OPPOSITES, STEP, TAP, THINK, Body


class Player(Body):
    """Somebody who plays. `failures`: the ideas that failed of late, fewer after a level that was won."""

    failures = 0.0

    def tests(self, times: int) -> Play:
        """Tries each action, or each thing that can be clicked, about so many times, one after another."""
        level = self.scene.level
        things = [press for press in dict.fromkeys(self.solutions.of(level)) if press.action == CLICK][:8]
        keys = sorted(set(self.scene.available) - {CLICK}, key=self.order.index)
        for press in [*map(Press, keys), *things]:
            for number in range(times + self.happens(0.2)):
                if not self.on(level) or not self.scene.allows(press.action):
                    return
                yield from self.act(press, STEP if number else LOOK)

    def variation(self, plan: Solution) -> Play:
        """Carries on as seems right, with one thing wrong: left out, exchanged, or made too often."""
        level, rest = self.scene.level, list(plan[self.done :][: 3 + int(self.about(self.style.roams, 0.4))])
        for _ in range(self.chance.randint(1, 3)):
            if rest:
                at = self.chance.randrange(len(rest))
                other = self.chance.choice([[], [rest[at]] * 2, [self.choose(None)], [rest[-1], rest[at]]])
                rest[at : at + 1] = other
        for press in rest:
            if not self.on(level):
                return
            yield from self.act(press, self.thought(STEP))

    def follow(self, plan: Solution, count: int) -> Play:
        """Acts on the plan as far as foreseen, with detours, until something is not as it should be."""
        level, last = self.scene.level, None
        while self.done < count and self.on(level) and not self.made:
            if self.happens(0.015 + 0.06 * (1 - self.skill)):
                yield from self.walk(self.chance.randint(1, 3))
                if self.made:
                    return
            press = plan[self.done]
            yield from self.act(press, TAP if press == last else self.thought(STEP), planned=True)
            last = press

    def restore(self) -> Play:
        """Goes back to where they left the plan, or begins the level anew."""
        level, back = self.scene.level, [self._back(press) for press in reversed(self.made)]
        if self.on(level) and 0 < len(back) <= 8 and all(back) and not self.happens(self.style.resets):
            for press in back:
                if press is None or not self.on(level):
                    break
                yield from self.act(press, TAP if press.action == UNDO else STEP)
                if not self.scene.changed:
                    break
            else:
                self.made.clear()
                return
        if self.at(level) and self.since:
            yield from self.act(Press(RESET), LOOK)

    def _back(self, press: Press) -> Press | None:
        if self.scene.allows(UNDO):
            return Press(UNDO)
        return Press(OPPOSITES[press.action]) if press.action in OPPOSITES else None

    def idea(self, plan: Solution) -> Play:
        """Tries something where the plan is not clear."""
        if self.happens(self.style.orderly):
            yield from self.tests(1 + self.happens(0.3))
        elif self.happens(self.style.varies) and self.done < len(plan):
            yield from self.variation(plan)
        else:
            yield from self.walk(self.about(self.style.roams))

    def look_over(self) -> Play:
        """Looks at a new board and tries what the actions do: much at the first, little at later ones."""
        first = self.scene.level == 1
        self.distracted += self.seconds(THINK if first else LOOK)
        tests = self.style.probes * self.about(1, 0.4) / (1 if first else 3 + self.scene.level)
        whole = int(tests) + self.happens(tests % 1)
        if whole and first and self.happens(self.tidy + self.style.orderly):
            yield from self.tests(whole)
        elif whole:
            yield from self.walk(self.about((6 if first else 3) * whole), LOOK)
        if self.made:
            yield from self.restore()

    def level(self) -> Play:
        """Plays a level until it is won or lost for good, or they have had enough."""
        level, plan, hard = self.scene.level, self.solutions.of(self.scene.level), self._hard()
        stuck = level > 1 and self.happens(min(0.9, self.style.stalls))
        dawns = self.scene.seconds + 60 * self.about(14) if stuck else 0.0
        self.failures *= 0.4
        yield from self.look_over()
        grasped = 1.15 * self.chance.betavariate(1 + 5 * self.skill, 0.6 + 0.8 * hard)
        foreseen = min(0.7 if stuck else 1.0, grasped)
        while self.at(level):
            if not self.made and self.scene.state != "GAME_OVER":
                yield from self.follow(plan, round(len(plan) * foreseen))
            if self.on(level) and not self.made:
                yield from self.idea(plan)
                self.failures += 1
                gain = (0.1 + 0.55 * self.skill) * self.chance.uniform(0, 2) / hard
                foreseen = min(1.0 if self.scene.seconds > dawns else 0.7, foreseen + gain)
            if not self.at(level) or self.had_enough():
                return
            if self.made or self.scene.state == "GAME_OVER" or self.done == len(plan):
                yield from self.restore()

    def _hard(self) -> float:
        return self.solutions.difficulty(self.scene.level) * self.chance.lognormvariate(0, 0.25)

    def had_enough(self) -> bool:
        """Whether too many ideas failed, or it took too long and the last ideas failed too."""
        too_long = self.scene.seconds > 60 * self.style.minutes * self.puts_up and self.failures > 2
        return too_long or self.failures > self.style.failures * self.puts_up

    def play(self) -> Play:
        """Plays level after level until all are won or they have had enough."""
        while not self.had_enough():
            yield from self.level()
            if self.scene.state == "WIN":
                return
        yield from self.leave()
