"""Well-known servers that speak the OpenAI protocol, with the address each has when nothing was changed."""

from dataclasses import dataclass
from typing import Final

from biny_desktop.core.i18n import mark
from biny_desktop.models.slots import is_local, server_of


@dataclass(frozen=True, slots=True)
class Preset:
    """`id` for commands, `name` as the maker writes it, `url` the base URL (empty: to be typed), `needs_key` whether it
    answers only with one, `hint` what to know before (untranslated)."""

    id: str
    name: str
    url: str
    needs_key: bool
    hint: str

    @property
    def local(self) -> bool:
        """Whether it runs on this machine."""
        return bool(self.url) and is_local(self.url)


_CLOUD: Final = mark("What is asked leaves this machine, redacted.")
_LOCAL: Final = mark("Runs on this machine; nothing leaves it.")
PRESETS: Final = (
    Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1", False, _LOCAL),
    Preset("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", False, _LOCAL),
    Preset("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1", False, _LOCAL),
    Preset("vllm", "vLLM", "http://127.0.0.1:8000/v1", False, _LOCAL),
    Preset("openai", "OpenAI", "https://api.openai.com/v1", True, _CLOUD),
    Preset("deepseek", "DeepSeek", "https://api.deepseek.com/v1", True, _CLOUD),
    Preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", True, _CLOUD),
    Preset("other", mark("Other"), "", False, mark("Any server that speaks the OpenAI chat protocol.")),
)


def preset_of(url: str) -> Preset:
    """The preset whose server an address names, else `other`.

    Raises:
        InvalidInputError: the address cannot be used.
    """
    server = server_of(url)
    return next((preset for preset in PRESETS if preset.url and server_of(preset.url) == server), PRESETS[-1])
