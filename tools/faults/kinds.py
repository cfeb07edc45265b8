"""Every kind of fault, each as one thing that goes wrong while people play."""

from dataclasses import dataclass
from typing import Literal

from tools.faults.hostile import hostile_environments
from tools.faults.network import a_network_that, cut_off_for_a_minute
from tools.faults.processes import (
    Break,
    jump_the_clock,
    kill_server,
    kill_the_manager,
    killing,
    service,
    stopping,
)
from tools.faults.proxy import Mischief
from tools.faults.resources import fill_the_disk, lock_the_database, redis_for_a_minute
from tools.faults.windows import two_servers, two_servers_without_redis, two_windows

type Place = Literal["embedded", "services"]


@dataclass(frozen=True)
class Kind:
    """`times` is how often a whole run lets it happen, `pause` how long people play before, in seconds.

    It happens `in_a_row` times, then everybody has to be playing again.
    """

    name: str
    place: Place
    times: int
    happen: Break
    pause: float = 1.5
    in_a_row: int = 1


WEB, HOSTS = (lambda world: world.product.web()), (lambda world: world.product.hosts())
FORKS, WORKERS = (lambda world: world.product.fork_servers()), (lambda world: world.product.workers())

KINDS = [
    Kind("server killed", "embedded", 40, kill_server, 2.0, 2),
    Kind("server stopped for up to 4 s", "embedded", 20, stopping(WEB, 4), 0.5, 2),
    Kind("engine host killed", "embedded", 40, killing(HOSTS), 0.5, 4),
    Kind("engine host stopped", "embedded", 20, stopping(HOSTS, 3), 0.5, 2),
    Kind("process that forks hosts killed", "embedded", 15, killing(FORKS), 0.5, 2),
    Kind("worker killed", "embedded", 20, killing(WORKERS), 0.5, 5),
    Kind("worker stopped", "embedded", 10, stopping(WORKERS, 2), 0.5, 5),
    Kind("manager killed", "embedded", 5, kill_the_manager),
    Kind("database locked for up to 25 s", "embedded", 4, lock_the_database),
    Kind("disk full", "embedded", 4, fill_the_disk),
    Kind("two windows at one attempt", "embedded", 15, two_windows, 0.5, 3),
    Kind("two servers at one attempt", "embedded", 2, two_servers, 0.5),
    Kind("environments that attack", "embedded", 2, hostile_environments, 0.5),
    Kind("network delays", "embedded", 4, a_network_that(Mischief(delay=0.5)), 0.5),
    Kind("network repeats and reorders", "embedded", 6, a_network_that(Mischief(copy=0.4, swap=0.1)), 0.5),
    Kind("network cut", "embedded", 6, a_network_that(Mischief(cut=0.05, delay=0.1, copy=0.1)), 0.5),
    Kind("network loses what the browser sends", "embedded", 2, a_network_that(Mischief(lose_up=1), 6, 14)),
    Kind("network loses what the server sends", "embedded", 2, a_network_that(Mischief(lose_down=1), 6, 14)),
    Kind("network gone for a minute", "embedded", 1, cut_off_for_a_minute),
    Kind("clock jumps by up to 2 h", "embedded", 8, jump_the_clock, 1),
    Kind("PostgreSQL killed", "services", 15, service("postgresql", "kill", 3), 1.0, 3),
    Kind("PostgreSQL stopped", "services", 8, service("postgresql", "stop", 6), 1, 2),
    Kind("Redis killed", "services", 12, service("redis", "kill", 3), 1, 3),
    Kind("Redis stopped", "services", 8, service("redis", "stop", 4), 1, 2),
    Kind("Redis gone for a minute", "services", 1, redis_for_a_minute),
    Kind("server killed, PostgreSQL", "services", 15, kill_server, 2.0, 2),
    Kind("engine host killed, PostgreSQL", "services", 15, killing(HOSTS), 0.5, 4),
    Kind("two servers at one attempt, PostgreSQL", "services", 3, two_servers, 0.5),
    Kind("the same without Redis", "services", 2, two_servers_without_redis, 0.5),
]
