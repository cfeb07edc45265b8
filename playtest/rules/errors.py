"""The error that rules raise."""


class RuleError(Exception):
    """A rule was given a value that it cannot use.

    `code` is a stable snake_case name for programs, `message` a sentence that tells a person what to do,
    `status` the HTTP status with which a page answers.
    """

    status = 400

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
