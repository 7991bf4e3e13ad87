"""Built-in privacy rules on single windows: products, pop-ups, vaults, private browsing, prompts (spec 02 §3)."""

import pytest

from biny_desktop.capture.ports import Unknown, WindowInfo
from biny_desktop.capture.rules import RuleBook, builtins
from biny_desktop.core.geometry import Rect
from tests.fakes.capture import make_window

BOOK = RuleBook()


def window(app: str, title: str, width: int = 1200, height: int = 800, **changes: object) -> WindowInfo:
    return make_window(app, title, rect=Rect(0, 0, width, height), **changes)


PRIVATE_TITLES = [
    ("google-chrome", "New Tab - Google Chrome (Incognito)"),
    ("firefox", "Startseite — Mozilla Firefox (Privater Modus)"),
    ("msedge.exe", "Start - [InPrivate] - Microsoft\u200b Edge"),
    ("google-chrome", "新しいタブ - Google Chrome (シークレット)"),
    ("google-chrome", "新标签页 - Google Chrome (无痕模式)"),
    ("firefox", "Accueil — Mozilla Firefox (navigation privée)"),
    ("firefox", "Mozilla Firefox Private Browsing"),
    ("firefox", "News — Mozilla Firefox Private Browsing"),
    ("firefox", "News — Mozilla Firefox — Private Browsing"),
    ("google-chrome", "Neuer Tab – Google Chrome (Inkognito)"),
    ("com.google.chrome", "Nouvel onglet - Google Chrome (Navigation privée)"),
    ("chrome.exe", "Nueva pestaña - Google Chrome (Incógnito)"),
    ("chrome.exe", "Nueva pestaña - Google Chrome (incógnito)"),
    ("firefox", "Inicio — Mozilla Firefox (Navegación privada)"),
    ("chromium", "Nova guia - Chromium (anônima)"),
    ("chromium", "Novo separador - Chromium (Anónima)"),
    ("firefox", "Início — Mozilla Firefox (Navegação privativa)"),
    ("firefox", "Início — Mozilla Firefox Navegação privada"),
    ("google-chrome", "Nuova scheda - Google Chrome (in incognito)"),
    ("firefox", "Pagina — Mozilla Firefox (Navigazione anonima)"),
    ("chromium-browser", "Scheda - Chromium (Navigazione in incognito)"),
    ("google-chrome", "Nieuw tabblad - Google Chrome (incognito)"),
    ("org.mozilla.firefox", "Start — Mozilla Firefox (Privénavigatie)"),
    ("google-chrome", "Nowa karta - Google Chrome (Incognito)"),
    ("firefox-esr", "Strona — Mozilla Firefox (Tryb prywatny)"),
    ("google-chrome", "Новая вкладка – Google Chrome (Инкогнито)"),
    ("firefox", "Начало — Mozilla Firefox (Приватный просмотр)"),
    ("google-chrome", "Yeni Sekme - Google Chrome (Gizli)"),
    ("firefox", "Giriş — Mozilla Firefox (Gizli Gezinti)"),
    ("firefox", "GİRİŞ — Mozilla Firefox (GİZLİ GEZİNTİ)"),
    ("firefox", "ホーム — Mozilla Firefox プライベートブラウジング"),
    ("com.apple.safari", "ホーム - Safari（プライベート）"),
    ("google-chrome", "新分頁 - Google Chrome (無痕模式)"),
    ("google-chrome", "新標籤 - Google Chrome（無痕）"),
    ("firefox", "首頁 — Mozilla Firefox (隱私瀏覽)"),
    ("firefox", "首頁 — Mozilla Firefox 隱私視窗"),
    ("firefox", "主页 — Mozilla Firefox (隐私浏览)"),
    ("firefox", "主页 — Mozilla Firefox 隐私窗口"),
    ("chromium", "页 - Chromium (无痕)"),
    ("google-chrome", "새 탭 - Google Chrome (시크릿 모드)"),
    ("chrome", "새 탭 - Chrome (시크릿)"),
    ("firefox", "홈 — Mozilla Firefox (사생활 보호 모드)"),
    ("msedge", "Bing and 3 more pages - Profile 1 - [InPrivate] - Microsoft Edge"),
    ("microsoft-edge", "Bing — Microsoft Edge (InPrivate)"),
    ("brave-browser", "New Tab - Brave (Private)"),
    ("brave", "New Private Tab - Brave (Private with Tor)"),
    ("opera", "Start - Opera (Private)"),
    ("firefox", "ＮＥＷＳ － Ｍｏｚｉｌｌａ Ｆｉｒｅｆｏｘ （Ｐｒｉｖａｔｅ Ｂｒｏｗｓｉｎｇ）"),
    ("firefox", f"{'a' * 5000} — Mozilla Firefox (Private Browsing)"),
    ("firefox", "\ud83d page — Mozilla Firefox (Private\u00a0Browsing)"),
]

OPEN_TITLES = [
    ("firefox", "Private API docs — Mozilla Firefox"),
    ("firefox", "Secret Santa planning — Mozilla Firefox"),
    ("code", "incognito.py – editor"),
    ("google-chrome", "AWS Secrets Manager - Google Chrome"),
    ("google-chrome", "How to use Incognito - Google Chrome"),
    ("firefox", "Google Chrome (Incognito) explained — Mozilla Firefox"),
    ("firefox", "プライベート — Mozilla Firefox"),
    ("google-chrome", "シークレット サンタ - Google Chrome"),
    ("code", "notes - Google Chrome (Incognito)"),
    ("firefox", "无痕胶带 — Mozilla Firefox"),
    ("libreoffice-writer", "Mozilla Firefox (Private Browsing)"),
    ("firefox", ""),
    ("firefox", "privateer games — Mozilla Firefox"),
]


@pytest.mark.parametrize(("app", "title"), PRIVATE_TITLES)
def test_a_private_browser_window_is_never_recorded(app: str, title: str) -> None:
    verdict = BOOK.judge(window(app, title))
    assert (verdict.outcome, verdict.reason) == ("private", "private_window")


@pytest.mark.parametrize(("app", "title"), OPEN_TITLES)
def test_a_page_about_private_things_is_recorded(app: str, title: str) -> None:
    assert BOOK.judge(window(app, title)).outcome == "ok"


def test_what_the_system_tells_about_private_browsing_counts() -> None:
    assert BOOK.judge(window("chromium", "x", private_hint="private")).reason == "private_window"
    assert BOOK.judge(window("com.google.chrome", "x", private_hint="unknown")).outcome == "unknown"
    assert BOOK.judge(window("torbrowser", "About Tor")).rule == "private:tor"


@pytest.mark.parametrize(
    "app",
    [
        "com.apple.keychainaccess", "com.apple.Passwords", "com.apple.SecurityAgent", "com.1password.1password",
        "com.agilebits.onepassword7", "1Password.exe", "1password", "com.onepassword.OnePassword",
        "com.bitwarden.desktop",
        "org.bitwarden.x", "bitwarden.exe", "Bitwarden", "com.lastpass.LastPass", "lastpass.exe", "lastapp_x64.exe",
        "com.dashlane.dashlanephonefinal", "dashlane.exe", "org.keepassxc.keepassxc", "com.hicknhacksoftware.MacPass",
        "com.markmcguill.strongbox.mac", "KeePass.exe", "keepassxc", "keepass2", "org.gnome.World.Secrets",
        "me.proton.pass.electron", "proton-pass", "in.sinew.Enpass-Desktop", "enpass.exe", "com.nordpass.macos",
        "nordpass",
        "com.callpod.keepermac", "keeperpasswordmanager.exe", "buttercup", "qtpass", "consent.exe",
        "credentialuibroker.exe", "seahorse", "org.gnome.seahorse.Application", "kwalletmanager5", "kwalletd6",
        "gcr-prompter", "pinentry-gtk-2", "pinentry", "polkit-gnome-authentication-agent-1",
        "polkit-kde-authentication-agent-1", "ssh-askpass", "ksshaskpass", r"C:\Program Files\KeePass\KeePass.exe",
        "bitwarden_bitwarden", "org.keepassxc.KeePassXC.desktop",
    ],
)  # fmt: skip
def test_a_password_program_is_known_by_its_id(app: str) -> None:
    verdict = BOOK.judge(window(app, "anything"))
    assert (verdict.outcome, verdict.reason) == ("private", "private_app")


def test_a_program_is_never_known_by_its_display_name() -> None:
    assert BOOK.judge(window("editor", "KeePassXC", app_name="KeePassXC")).outcome == "ok"
    assert BOOK.judge(window("enpassant-chess", "Chess")).outcome == "ok"


@pytest.mark.parametrize(
    ("title", "width", "url", "private"),
    [
        ("1Password – Vault", 375, None, True),
        ("1Password | Unlock", 520, None, True),
        ("Bitwarden - Google Chrome", 400, None, True),
        ("Bitwarden", 1200, "chrome-extension://abc/popup/index.html", True),
        ("anything", 1200, "chrome-extension://nngceckbapebfimnlniiiahkandclblb/popup.html", True),
        ("1Password review – Firefox", 375, None, False),
        ("1Password review – Firefox", 1200, None, False),
        ("Bitwarden - the review - Google Chrome", 1200, None, False),
        ("Options", 400, "chrome-extension://abc/options.html", False),
    ],
)
def test_popups_of_password_managers(title: str, width: int, url: str | None, private: bool) -> None:
    verdict = BOOK.judge(window("google-chrome", title, width, 600, url=url))
    assert (verdict.reason == "private_app") is private


def test_the_width_of_a_popup_counts_in_logical_pixels() -> None:
    popup = window("firefox", "1Password – Vault", 750, 1200)
    assert BOOK.judge(popup, 1.0).outcome == "ok"
    assert BOOK.judge(popup, 2.0).outcome == "private"


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("https://vault.bitwarden.com/#/vault", True), ("https://my.1password.com/home", True),
        ("https://my.1password.eu/", True), ("lastpass.com/vault", True), ("https://lastpass.com/vault/?x", True),
        ("https://app.dashlane.com/credentials", True), ("https://pass.proton.me/u/0/", True),
        ("https://lastpass.com/pricing", False), ("https://evil.example/?u=vault.bitwarden.com", False),
        ("https://1password.com/", False), ("https://[broken", False), ("", False),
    ],
)  # fmt: skip
def test_web_vaults_by_url(url: str, private: bool) -> None:
    assert (BOOK.judge(window("firefox", "page", url=url)).reason == "private_url") is private


@pytest.mark.parametrize(
    ("title", "private"),
    [
        ("Bitwarden Web vault — Mozilla Firefox", True), ("Vaults | Bitwarden Web vault — Mozilla Firefox", True),
        ("My LastPass Vault — Mozilla Firefox", True), ("Proton Pass — Mozilla Firefox", True),
        ("The Bitwarden web vault explained — Mozilla Firefox", False), ("Why I left LastPass — Mozilla Firefox",
        False),
    ],
)  # fmt: skip
def test_web_vaults_by_their_own_title(title: str, private: bool) -> None:
    assert (BOOK.judge(window("firefox", title)).outcome == "private") is private


PROMPTS = [
    "Enter password", "Authentication Required", "Unlock Database - KeePassXC", "Unlock Keyring", "Passwort eingeben",
    "Authentifizierung erforderlich", "Datenbank entsperren", "Saisir le mot de passe", "Authentification requise",
    "Déverrouiller la base de données", "Introducir contraseña", "Se requiere autenticación",
    "Desbloquear base de datos",
    "Digite a senha", "Introduza a palavra-passe", "Autenticação necessária", "Desbloquear banco de dados",
    "Inserire la password", "Autenticazione richiesta", "Sblocca database", "Voer wachtwoord in",
    "Authenticatie vereist", "Database ontgrendelen", "Wprowadź hasło", "Wymagane uwierzytelnienie",
    "Odblokuj bazę danych", "Введите пароль", "Требуется аутентификация", "Разблокировать базу данных", "Parola girin",
    "Kimlik doğrulama gerekli", "Veritabanının kilidini aç", "パスワードを入力してください", "認証が必要です",
    "データベースのロックを解除", "输入密码", "需要认证", "解锁数据库", "輸入密碼", "需要驗證", "解鎖資料庫",
    "비밀번호 입력", "인증이 필요합니다",
    "데이터베이스 잠금 해제", "Password:", "密码", "パスワード", "Contraseña",
]  # fmt: skip


@pytest.mark.parametrize("title", PROMPTS)
def test_a_small_window_that_asks_for_a_password_is_a_prompt(title: str) -> None:
    assert BOOK.judge(window("app", title, 500, 300)).reason == "password_prompt"
    assert BOOK.judge(window("app", title, 1500, 900, dialog=True)).reason == "password_prompt"
    assert BOOK.judge(window("app", title, 1500, 900)).outcome == "ok"


@pytest.mark.parametrize("title", ["Save changes?", "Find", "Colour", "Printer settings", "设置", "Öffnen"])
def test_other_dialogs_are_recorded(title: str) -> None:
    assert BOOK.judge(window("app", title, 500, 300, dialog=True)).outcome == "ok"


@pytest.mark.parametrize(
    ("app", "title", "private"),
    [
        ("xterm", "[sudo] password for ada: ", True), ("org.gnome.Terminal", "[sudo] Passwort für ada", True),
        ("alacritty", "Enter passphrase for key '/home/ada/.ssh/id'", True), ("kitty", "ada@host's password:", True),
        ("xterm", "vim sudo.md", False), ("firefox", "[sudo] password for ada - forum — Mozilla Firefox", False),
    ],
)  # fmt: skip
def test_prompts_in_terminals(app: str, title: str, private: bool) -> None:
    assert (BOOK.judge(window(app, title)).reason == "password_prompt") is private


@pytest.mark.parametrize(
    "app", ["swaylock", "i3lock", "xscreensaver-settings", "kscreenlocker_greet", "LogonUI.exe", "loginwindow"]
)
def test_lock_programs_mean_locked(app: str) -> None:
    verdict = BOOK.judge(window(app, ""))
    assert (verdict.outcome, verdict.reason) == ("locked", "screen_locked")


def test_a_window_that_cannot_be_told_is_unknown() -> None:
    assert BOOK.judge(Unknown("timeout")).reason == "unknown_window"
    assert BOOK.judge(window("", "title")).outcome == "unknown"
    assert BOOK.judge(window("editor", "")).outcome == "ok"


def test_no_beats_unknown() -> None:
    assert BOOK.judge(window("", "x", private_hint="private")).outcome == "private"


def test_every_builtin_rule_can_be_switched_off() -> None:
    ids = [each.id for each in builtins()]
    assert len(ids) == len(set(ids)) > 20
    everything = RuleBook(disabled=frozenset(ids))
    for app, title in [("keepassxc", "x"), *PRIVATE_TITLES[:3], ("swaylock", "x"), ("torbrowser", "x")]:
        assert everything.judge(window(app, title, 400, 300)).outcome == "ok"
    assert everything.judge(window("x", "Enter password", 400, 300, private_hint="private")).outcome == "ok"
    one = RuleBook(disabled=frozenset({"product:keepass"}))
    assert one.judge(window("keepassxc", "x")).outcome == "ok"
    assert one.judge(window("bitwarden", "x")).outcome == "private"
    assert one.revision != BOOK.revision


@pytest.mark.parametrize("title", ["\ud83d", "\x00" * 10, "é" * 5000, "\u202e\u200d", "(" * 3000, "- " * 2500])
def test_no_title_breaks_the_rules(title: str) -> None:
    for app in ("firefox", "xterm", title):
        assert BOOK.judge(window(app, title, 300, 300, url=title)).outcome in ("ok", "private", "unknown")
