"""QR codes as rectangles, for pages and PDF files."""


def dark_runs(text: str) -> tuple[int, list[tuple[int, int, int]]]:
    """The size of the code in modules, 4 of them margin on each side, and its dark runs: x, y and length."""
    import segno  # slow to import

    matrix = segno.make(text, error="m", micro=False).matrix
    runs = []
    for y, row in enumerate(matrix, start=4):
        x = 0
        while (begin := row.find(1, x)) >= 0:
            x = row.find(0, begin) if 0 in row[begin:] else len(row)
            runs.append((begin + 4, y, x - begin))
    return len(matrix) + 8, runs
