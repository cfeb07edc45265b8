"""Every request of a page has a time limit, and says in a sentence that nobody answered."""

from playwright.sync_api import Page


def test_a_request_without_an_answer_fails_in_time(bare: Page) -> None:
    bare.route("**/nothing/", lambda _route: None)
    found = bare.evaluate("""async () => {
        const { load } = await import("/static/shared/requests.js");
        const limited = AbortSignal.timeout.bind(AbortSignal);
        const limits = [];
        AbortSignal.timeout = (limit) => { limits.push(limit); return limited(20); };
        const { code, message } = await load("/nothing/").catch((refused) => refused);
        return [limits, code, message];
    }""")
    assert found == [[20_000], "server_unreachable", "The server cannot be reached. Try again."]
