"""Google's Gemini API.

    POST {base_url}/v1beta/models/{model}:generateContent
    {"systemInstruction", "contents": [{"role": "user", "parts"}],
     "generationConfig": {"responseMimeType", "responseJsonSchema", "maxOutputTokens"}}
    -> {"candidates": [{"content": {"parts": [{"text", "thought"}]}, "finishReason"}],
        "promptFeedback": {"blockReason"}, "usageMetadata"}

The model's name is part of the path here.  Its slashes stay slashes, for some servers name models in
folders, and everything else is quoted, so that the server reads back what was configured.
"""

from collections.abc import Mapping
from urllib.parse import quote

from scry.model import Prompt
from scry.providers.base import HttpProvider, count, mapping
from scry.providers.http import RefusedError
from scry.text import one_line

_BESIDE = ("safetySettings", "cachedContent", "serviceTier", "labels")
"""What stands beside `generationConfig` in a request, not in it."""
_WHOLE = (None, "", "STOP", "FINISH_REASON_UNSPECIFIED")
_DECLINED = ("SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "LANGUAGE")


class Gemini(HttpProvider):
    """A model behind generateContent."""

    MODES = ("json_schema", "json_object", "prompt")
    BASE_URL = "https://generativelanguage.googleapis.com"
    TAILS = ("/models", "/v1beta")
    _instructs = True
    """Whether the model takes instructions apart from the question."""

    def _path(self) -> str:
        return f"/v1beta/models/{quoted(self._spec.model)}:generateContent"

    def _headers(self, key: str) -> Mapping[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def _body(self, prompt: Prompt, mode: str) -> dict[str, object]:
        settings = self._spec.settings
        beside = {key: settings.pop(key) for key in _BESIDE if key in settings}
        whole = mapping(settings.pop("generationConfig", None))
        most = self._spec.max_output_tokens
        asked = (prompt.glossary, prompt.chunk, prompt.correction)
        parts = [_part(text) for text in asked if text.strip()]
        stable = [_part(prompt.stable)]
        return {
            **beside,
            **({"systemInstruction": {"parts": stable}} if self._instructs else {}),
            "contents": [{"role": "user", "parts": parts if self._instructs else stable + parts}],
            "generationConfig": {
                **settings,
                **whole,
                **({"maxOutputTokens": most} if most else {}),
                **_shape(mode, prompt.schema),
            },
        }

    def _adapts(self, error: RefusedError) -> bool:
        """Put the instructions before the question for a model that takes none apart."""
        named = "developer instruction", "system instruction", "systeminstruction"
        refused = self._instructs and any(name in error.words for name in named)
        self._instructs = self._instructs and not refused
        return refused

    def _usage(self, answer: Mapping[str, object]) -> tuple[int, int]:
        usage = mapping(answer.get("usageMetadata"))
        out = count(usage.get("candidatesTokenCount")) + count(usage.get("thoughtsTokenCount"))
        return count(usage.get("promptTokenCount")), out

    def _read(self, answer: Mapping[str, object], _mode: str, _prompt: Prompt) -> tuple[str, bool]:
        match answer:
            case {"promptFeedback": {"blockReason": str(blocked)}} if blocked:
                raise self._bad(f"it does not take the question ({one_line(blocked, 40)}).")
            case {"candidates": [dict(candidate), *_]}:
                pass
            case _:
                raise self._bad("its answer holds no message.")
        reason = candidate.get("finishReason")
        if reason == "MAX_TOKENS":
            raise self._cut_off()
        if reason in _DECLINED:
            raise self._bad(f"the model declined to answer ({reason}).")
        if reason not in _WHOLE:
            raise self._bad(f"the model broke off ({one_line(str(reason), 40)}).")
        found = mapping(candidate.get("content")).get("parts")
        parts = (
            [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []
        )
        said = [part.get("text") for part in parts if not part.get("thought")]
        return "".join(text for text in said if isinstance(text, str)), any(
            part.get("thought") for part in parts
        )


def quoted(model: str) -> str:
    """Return a model's name as a part of a path, from which a server reads the same name.

    >>> quoted("a/b c?"), quoted("a/../b")
    ('a/b%20c%3F', 'a%2F..%2Fb')
    """
    # A path with dots between its slashes would be shortened on the way.
    dotted = any(folder in (".", "..") for folder in model.split("/"))
    return quote(model, safe="" if dotted else "/", errors="replace")


def _part(text: str) -> dict[str, object]:
    return {"text": text}


def _shape(mode: str, schema: Mapping[str, object]) -> dict[str, object]:
    """Return the settings that ask for the shape of the answer."""
    match mode:
        case "json_schema":
            return {"responseMimeType": "application/json", "responseJsonSchema": schema}
        case "json_object":
            return {"responseMimeType": "application/json"}
        case _:
            return {}
