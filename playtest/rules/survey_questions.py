"""The questions that surveys ask: the usual ones, and those of the papers."""

from playtest.rules.survey import Kind, Question

_HOW_OFTEN = (
    ("never", "Never"), ("yearly", "A few times a year"), ("monthly", "A few times a month"),
    ("weekly", "A few times a week"), ("daily", "Every day"),
)  # fmt: skip
QUESTIONS = (
    Question(
        "age",
        "How old are you?",
        (
            ("18-24", "18 to 24"), ("25-34", "25 to 34"), ("35-44", "35 to 44"), ("45-54", "45 to 54"),
            ("55-64", "55 to 64"), ("65+", "65 or older"),
        ),
        ordered=True,
    ),
    Question("video_games", "How often do you play video games?", _HOW_OFTEN, ordered=True),
    Question(
        "puzzles",
        "How often do you solve puzzles, such as crosswords, sudoku or chess problems?",
        _HOW_OFTEN,
        ordered=True,
    ),
    Question(
        "education",
        "What is the highest level of education you have completed?",
        (
            ("before_secondary", "Less than secondary school"),
            ("secondary", "Secondary or high school"),
            ("vocational", "Vocational training or some college"),
            ("bachelor", "University degree"),
            ("postgraduate", "Higher university degree, such as a master or doctor"),
        ),
        ordered=True,
    ),
    Question(
        "colour_vision",
        "Do you have difficulty telling some colours apart?",
        (("no", "No"), ("some", "Yes, some colours"), ("unsure", "I am not sure")),
    ),
)  # fmt: skip

PAPERS = (
    Question(
        "occupation",
        "What is your occupation at present?",
        (
            ("employed", "Employed"), ("self_employed", "Self-employed"),
            ("student", "In school, training or university"), ("home", "At home or caring for somebody"),
            ("looking", "Looking for work"), ("retired", "Retired"), ("other", "Something else"),
        ),
    ),
    Question(
        "industry",
        "In which field do you work or study, or did so last?",
        (
            ("technology", "Computing and technology"),
            ("engineering", "Engineering, building, manufacturing"), ("science", "Science and research"),
            ("health", "Health and care"), ("education", "Education"),
            ("business", "Business, finance, law"), ("trade", "Trade, hospitality, transport"),
            ("arts", "Arts, media, design"), ("public", "Public administration"), ("other", "Something else"),
        ),
    ),
    Question(
        "technology_use", "How many hours a day do you use a computer, tablet or phone?", (),
        kind=Kind.NUMBER.value, least=0, most=24,
    ),
    Question(
        "programming", "How much experience with programming do you have?", (),
        kind=Kind.SCALE.value, least=1, most=5, ends=("None", "I do it for a living"),
    ),
    Question(
        "mathematics",
        "What is the highest level at which you have learned mathematics?",
        (
            ("school", "School"), ("secondary", "End of secondary or high school"),
            ("courses", "Some courses at a university"), ("degree", "A degree with much mathematics"),
        ),
        ordered=True,
    ),
)  # fmt: skip
"""What the papers on ARC-AGI-2 and 3 ask further; a study may add them."""
