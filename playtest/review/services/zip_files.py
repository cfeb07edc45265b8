"""ZIP files of a folder: the same content is the same file."""

import zipfile
from pathlib import Path

_EPOCH_OF_ZIP = (1980, 1, 1, 0, 0, 0)


def pack_folder(folder: Path, path: Path) -> None:
    """Writes every file below a folder into a new ZIP file, by name and under a fixed time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(each for each in folder.rglob("*") if each.is_file()):
            info = zipfile.ZipInfo(file.relative_to(folder).as_posix(), date_time=_EPOCH_OF_ZIP)
            info.compress_type = zipfile.ZIP_STORED if file.suffix == ".parquet" else zipfile.ZIP_DEFLATED
            with file.open("rb") as source, packed.open(info, "w", force_zip64=True) as target:
                while piece := source.read(2**20):
                    target.write(piece)
