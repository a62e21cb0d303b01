"""What is remembered of extractors: across processes, days, configurations and a kill -9."""

import json
import signal
import stat
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scry.config import Budget, Link
from scry.errors import ProviderError
from scry.extract.chain import Chain
from scry.meter import Usage, mark_of
from scry.store.git import GitStore
from scry.store.init import init_store
from scry.store.memory import MemoryStore
from scry.usage import CHAIN, Count, Remembered, read_tokens, tokens_trailer

NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)
DOWN = ProviderError("it is down")
REFUSED = ProviderError("the key is refused", kind="permanent")


class Time:
    """A clock that a test moves."""

    now = NOON

    def __call__(self) -> datetime:
        return self.now


def usage(store=None, clock=None, **limits):
    return Usage(store or MemoryStore(), clock or Time(), budget=Budget(**limits))


# --- the file ------------------------------------------------------------------------------------


counts = st.builds(
    Count,
    **{
        name: st.integers(0, 10**9)
        for name in ("calls", "answers", "failed", "tokens_in", "tokens_out")
    },
)
days = st.dates().map(lambda d: d.isoformat())
names = st.text(alphabet='abé/:.- \n"{', max_size=5)
troubles = st.dictionaries(names, st.dictionaries(names, names, min_size=1, max_size=3), max_size=3)


@settings(max_examples=50)
@given(
    troubles,
    troubles,
    st.dictionaries(days, st.dictionaries(names, counts, max_size=3), max_size=3),
)
def test_what_is_remembered_comes_back_as_it_was(breakers, modes, days):
    known = Remembered(breakers, modes, days)
    assert Remembered.of(known.text()) == known


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["breakers", "modes", "days", "calls", "until", "2026-08-01"]), inner
        )
    ),
)


@settings(max_examples=60)
@given(st.text(max_size=20) | json_values.map(json.dumps) | st.just("[" * 100_000))
def test_a_file_that_is_spoilt_is_read_as_far_as_it_makes_sense(text):
    known = Remembered.of(text)
    assert known.paused("near/m", NOON) is None or "until" in text
    known.add("2026-08-01", "near/m", Count(calls=1))
    assert known.on(NOON)["near/m"].calls >= 1
    assert Remembered.of(known.text()) == known


def test_counts_are_kept_for_ninety_days_and_a_week_is_seven_of_them():
    clock = Time()
    used = usage(clock=clock)
    meter = used.meter("near/m")
    for _ in range(120):
        meter.request()
        clock.now += timedelta(days=1)
    clock.now -= timedelta(days=1)
    known = used.remembered()
    assert (known.on(clock.now)["near/m"].calls, known.week(clock.now)["near/m"].calls) == (1, 7)
    assert known.whole()["near/m"].calls == len(known.days) == 90


@pytest.mark.parametrize("name", ["", "near/m", "own server/m 2 in, 3 out", "a: b"])
def test_what_answers_cost_can_be_read_again(name):
    count = Count(tokens_in=4120, tokens_out=380)
    assert read_tokens(tokens_trailer(count, name)[1]) == (name, count)


@pytest.mark.parametrize("text", ["", "many", "1 in", "1 in, 2", "-1 in, 2 out", "one in, two out"])
def test_a_trailer_that_gives_no_numbers_counts_nothing(text):
    assert read_tokens(text) is None


# --- budgets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "said"), [({"calls_per_day": 2}, "2 calls"), ({"tokens_per_day": 240}, "240 tokens")]
)
def test_a_budget_that_is_used_up_forbids_requests_until_the_next_utc_day(limits, said):
    clock = Time()
    used = usage(clock=clock, **limits)
    meter = used.meter("near/m")
    for _ in range(2):
        meter.request()
        meter.used(100, 20)
    with pytest.raises(ProviderError, match=said) as caught:
        meter.request()
    assert caught.value.kind == "quota"
    assert "2026-08-02T00:00:00Z" in str(caught.value)
    assert used.remembered().on(NOON)["near/m"].calls == used.sent == 2
    clock.now = datetime(2026, 8, 2, tzinfo=UTC)
    meter.request()


def test_a_budget_is_a_provider_s_whichever_of_its_models_is_asked_and_nobody_else_s():
    store = MemoryStore()
    usage(store).meter("near/old", provider="near").request()
    used = usage(store, calls_per_day=1)
    with pytest.raises(ProviderError):
        used.meter("near/new", provider="near").request()
    used.meter("nearby/m", provider="nearby").request()


def test_a_budget_that_is_raised_counts_at_once():
    store, asked = MemoryStore(), []

    class Near:
        name = "near/m"

        def __init__(self, most):
            self.usage = usage(store, calls_per_day=most)
            self.meter = self.usage.meter(self.name)

        def extract(self, _chunk, _glossary):
            self.meter.request()
            asked.append(1)
            raise ProviderError("no use", kind="content")

    for most in (1, 1, 1, 2):
        near = Near(most)
        with pytest.raises(Exception, match="near/m"):
            Chain([near], clock=Time(), state=near.usage).extract(None, [])
    assert len(asked) == 2
    day = usage(store).remembered().on(NOON)["near/m"]
    assert (day.calls, day.failed) == (2, 2)


# --- troubles and modes --------------------------------------------------------------------------


class Failing:
    """An extractor that sends a request and fails."""

    def __init__(self, used: Usage, error: ProviderError, mark: str = "") -> None:
        self.name = "near/m"
        self.asked = 0
        self._meter = used.meter(self.name, mark=mark)
        self._error = error

    def extract(self, _chunk, _glossary):
        self._meter.request()
        self.asked += 1
        raise self._error


def run(store, clock, error, *, mark="", times=1):
    """Ask as a process of its own would; return how often the extractor was asked."""
    used = usage(store, clock)
    failing = Failing(used, error, mark)
    links = Chain([failing], clock=clock, state=used)
    for _ in range(times):
        with pytest.raises(Exception, match="near/m"):
            links.extract(None, [])
    return failing.asked


def test_a_trouble_survives_the_process_and_ends_with_the_cooldown():
    store, clock = MemoryStore(), Time()
    assert [run(store, clock, DOWN) for _ in range(5)] == [1, 1, 1, 0, 0]
    clock.now += timedelta(seconds=900)
    assert [run(store, clock, DOWN) for _ in range(2)] == [1, 0]


def test_what_will_never_work_is_asked_again_once_it_is_configured_anew():
    store, clock = MemoryStore(), Time()
    assert [run(store, clock, REFUSED, times=3) for _ in range(2)] == [1, 0]
    assert run(store, clock, REFUSED, mark="another key") == 1


def test_a_trouble_can_be_lifted_and_counts_stay():
    store, clock = MemoryStore(), Time()
    run(store, clock, REFUSED)
    used = usage(store, clock)
    used.meter("near/m")
    assert used.paused()
    used.lift()
    assert not used.paused()
    assert run(store, clock, REFUSED) == 1
    assert used.remembered().on(NOON)["near/m"] == Count(calls=2, failed=2)


def test_a_mode_is_remembered_for_the_server_that_it_was_learnt_from():
    store = MemoryStore()
    usage(store).meter("near/m", mark="a").keep_mode("tool")
    assert usage(store).meter("near/m", mark="a").mode() == "tool"
    assert usage(store).meter("near/m", mark="b").mode() == ""
    assert usage(store).meter("far/m", mark="a").mode() == ""


LINK = Link(id="near", type="openai", base_url="https://a.example/v1", model="m")


@pytest.mark.parametrize(
    "change",
    [
        {"base_url": "https://b.example/v1"},
        {"model": "n"},
        {"api_key": "env:OTHER"},
        {"structured": "tool"},
        {"type": "command", "argv": ("x",)},
    ],
    ids=str,
)
def test_another_server_model_key_or_way_of_asking_is_another_configuration(change):
    assert mark_of(replace(LINK, **change)) != mark_of(LINK)
    assert mark_of(replace(LINK, timeout=3)) == mark_of(LINK)


# --- processes -----------------------------------------------------------------------------------


ASK = """
import sys
from pathlib import Path
from scry.app import utc_now
from scry.config import Budget
from scry.errors import ProviderError
from scry.meter import Usage
from scry.store.git import GitStore

meter = Usage(
    GitStore(Path(sys.argv[1]), clock=utc_now), utc_now, budget=Budget(calls_per_day=int(sys.argv[2]))
).meter("near/m")
try:
    while True:
        meter.request()
        print("sent", flush=True)
        meter.used(1, 1)
except ProviderError:
    pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    init_store(tmp_path / "store")
    return tmp_path / "store"


def asking(folder: Path, most: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", ASK, folder, str(most)], stdout=subprocess.PIPE, text=True
    )


def remembered(folder: Path) -> Remembered:
    return Remembered.of(GitStore(folder, clock=lambda: NOON).local(CHAIN))


def test_two_processes_share_one_budget_to_the_last_request(folder):
    both = [asking(folder, 60) for _ in range(2)]
    sent = sum(len(process.communicate()[0].splitlines()) for process in both)
    (count,) = remembered(folder).whole().values()
    assert count.calls == sent == 60
    assert count.tokens_in == 60


def test_a_process_that_is_killed_has_counted_everything_that_it_sent(folder):
    sent = 0
    for wanted in (3, 5, 8):
        process = asking(folder, 10**6)
        for _ in range(wanted):
            assert process.stdout.readline() == "sent\n"
        process.send_signal(signal.SIGKILL)
        sent += wanted + len(process.communicate()[0].splitlines())
        (count,) = remembered(folder).whole().values()
        assert sent <= count.calls <= sent + 3
    note = folder / ".git" / "scry" / "local" / CHAIN
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
