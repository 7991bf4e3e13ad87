"""The tab Encryption & backup: how what was recorded is kept safe, and kept at all."""

from PySide6.QtWidgets import QWidget

from biny_desktop.core.i18n import _
from biny_desktop.service.closed_work import ClosedWork
from biny_desktop.service.data_care.care import Care
from biny_desktop.service.product import Product
from biny_desktop.ui.calls import Calls
from biny_desktop.ui.pages.privacy.backups import BackupSection
from biny_desktop.ui.pages.privacy.encryption import EncryptionSection, RecoverySection
from biny_desktop.ui.widgets.form import ScrollColumn


class KeepingTab(ScrollColumn):
    """Work that needs the home closed is handed to the product, and the window is asked to go."""

    def __init__(self, product: Product, calls: Calls, care: Care) -> None:
        super().__init__(_("Encryption & backup"))
        self._product = product
        place, encrypted = product.key.place, product.database.encrypted
        self.encryption = EncryptionSection(care, place, encrypted=encrypted)
        self.recovery = RecoverySection(care, calls, encrypted=encrypted)
        self.backup = BackupSection(product, care, calls)
        for part in (self.encryption, self.recovery, self.backup):
            self.add(part)
        self.encryption.wanted.connect(self._on_wanted)
        self.backup.wanted.connect(self._on_wanted)
        self.backup.work.busy.connect(self.encryption.lock)

    def first_field(self) -> QWidget | None:
        """Where Ctrl+F puts the cursor."""
        return None

    def refresh(self) -> None:
        """Nothing here moves by itself."""

    def _on_wanted(self, work: ClosedWork) -> None:
        self._product.ask_closed(work)
