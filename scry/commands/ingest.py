"""`scry ingest`: given transcripts, at once."""

import os
from collections.abc import Iterator
from pathlib import Path

import click

from scry.app import App
from scry.commands import FILE_PATH, answer, tell, verb
from scry.commands._report import report_json, report_text, told_anyway
from scry.errors import Exit, SourceError, UnknownTranscriptError
from scry.ingest import Ingest
from scry.ports import Source


@verb("ingest")
@click.argument("paths", nargs=-1, required=True, type=FILE_PATH)
@click.option("--source", "name", default="", help="Say which agent wrote them, by its name.")
@click.option("--again", is_flag=True, help="Ask anew for what has been answered before.")
@click.option("--offline", is_flag=True, help="Ask no extractor; episodes wait.")
def command(
    app: App, *, paths: tuple[Path, ...], name: str, again: bool, offline: bool, as_json: bool
) -> Exit | None:
    """Take in transcripts: files, or folders with transcripts in them.

    They need not be idle.  Of several paths the good ones are taken in before a bad one is told.
    """
    source = _named(name) if name else None
    if not any(path.exists() for path in paths):
        raise SourceError("\n".join(map(_absent, paths)))
    ingest = app.ingest(offline=offline)
    bad: list[str] = []
    report = ingest.report
    with told_anyway(report, as_json=as_json):
        for path in paths:
            if path.is_dir() and not _is_transcript(path, source):
                if not _folder(ingest, path, source, again=again):
                    bad.append(f"{path}: no transcript was found in this folder.")
            else:
                bad += _file(ingest, path, source, again=again)
    if len(bad) == len(paths) and not report.skipped:
        raise SourceError("\n".join(bad))
    for sentence in bad:
        tell(f"scry: {sentence}")
    answer(as_json, report_json(report), report_text(report))
    return Exit.SOURCE if bad else None


def _absent(path: Path) -> str:
    return f"{path}: there is no such file or folder."


def _named(name: str) -> Source:
    from scry.match import nearest
    from scry.sources import SOURCES

    if name not in SOURCES:
        near = nearest(name, SOURCES) or list(SOURCES)
        raise click.BadParameter(
            f"there is no source '{name}'. Did you mean {' or '.join(near)}?",
            param_hint="--source",
        )
    return SOURCES[name]


def _is_transcript(folder: Path, source: Source | None) -> bool:
    """Say whether a folder is itself what a source reads, as some keep a session in a folder."""
    from scry.sources import SOURCES

    sources = [source] if source else SOURCES.values()
    return any(s.recognises(folder, b"") for s in sources)


def _file(ingest: Ingest, path: Path, source: Source | None, *, again: bool) -> list[str]:
    """Take in one path that was named; return why not, if so."""
    from scry.sources import detect

    ingest.report.scanned += 1
    try:
        if not path.exists():
            return [_absent(path)]
        ingest.transcript(source or detect(path), path, again=again)
    except SourceError as error:
        return [str(error)]
    except OSError as error:
        return [f"{path}: cannot be read: {error.strerror}."]
    return []


def _folder(ingest: Ingest, folder: Path, source: Source | None, *, again: bool) -> int:
    """Take in what a folder holds; return how many transcripts were found."""
    from scry.sources import detect
    from scry.sources.notes import is_note

    count = 0
    for path in _walk(folder):
        if source is None and path.suffix == ".md" and not is_note(path):
            continue  # Not every document below a folder is a note to remember.
        try:
            ingest.transcript(source or detect(path), path, again=again)
        except UnknownTranscriptError:
            if ".jsonl" in path.suffixes:  # Other files beside transcripts are nobody's concern.
                reason = "no source recognises this file"
                ingest.report.skipped.append((ingest.show(path), reason))
            continue
        except SourceError as error:
            ingest.report.skipped.append((ingest.show(path), str(error)))
        except OSError as error:
            ingest.report.skipped.append((ingest.show(path), f"cannot be read: {error.strerror}"))
        ingest.report.scanned += 1
        count += 1
    return count


def _walk(folder: Path) -> Iterator[Path]:
    """Yield what lies below a folder, sorted: files, and folders that are one autonomous run.

    Hidden ones and version control are left out.
    """
    for root, folders, files in os.walk(folder):
        inside = sorted(name for name in folders if not name.startswith("."))
        runs = [name for name in inside if _is_transcript(Path(root, name), None)]
        folders[:] = [name for name in inside if name not in runs]
        yield from (Path(root, name) for name in runs)
        for name in sorted(files):
            if not name.startswith("."):
                yield Path(root, name)
