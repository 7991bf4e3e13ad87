"""Opening the picture of a frame, also when ageing puts another file in its place at that moment."""

from biny_desktop.activity import picture_store
from biny_desktop.core.errors import NotFoundError
from biny_desktop.storage.database import Database
from biny_desktop.storage.pictures import PictureFiles


def open_picture(db: Database, files: PictureFiles, frame_id: int) -> bytes:
    """The JPEG bytes of a frame's picture.

    Raises:
        NotFoundError: the frame or its picture is gone. StorageError: the file cannot be opened.
    """
    tried = ""
    while True:
        with db.read() as r:
            file = picture_store.file_of_frame(r, frame_id)
        if file is None or file.state != "live":
            raise NotFoundError("The picture is gone", f"Frame {frame_id} has no picture any more.")
        try:
            return files.read(file.path)
        except NotFoundError:
            if file.path == tried:
                raise
            tried = file.path  # the row may name the smaller file by now
