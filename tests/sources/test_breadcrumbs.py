"""Breadcrumbs: what was done, never what it was done with."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scry.sources.breadcrumbs import deed_of_call
from scry.sources.shell import deed_of, file_name

SHELL = [
    ("cd /w && FOO=1 uv run pytest -q tests/ 2>&1 | tail -5", "ran tests: pytest"),
    ("# run them\ncd web && npm test", "ran tests: npm"),
    ("python -m pytest -x", "ran tests: pytest"),
    ("python3 -m unittest discover", "ran tests: unittest"),
    ("cargo test --all", "ran tests: cargo"),
    ("go test ./...", "ran tests: go"),
    ("make -C sub test", "ran tests: make"),
    ("timeout 30 env A=b just check", "ran tests: just"),
    ("mise exec -- bundle exec rspec", "ran tests: rspec"),
    ("mise run test:unit", "ran tests: mise"),
    ("poetry run pytest", "ran tests: pytest"),
    ("npx vitest run", "ran tests: vitest"),
    ("sudo -u deploy time ./gradlew test", "ran tests: gradlew"),
    ("bash -lc 'cd x && cargo test'", "ran tests: cargo"),
    ("if [ -f x ]; then npm test; fi", "ran tests: npm"),
    ("(cd a && make check)", "ran tests: make"),
    ("make", "built: make"),
    ("npm run build", "built: npm"),
    ("npx tsc --noEmit", "built: tsc"),
    ("cargo build --release", "built: cargo"),
    ("uv run ruff check .", "linted: ruff"),
    ("cargo clippy", "linted: cargo"),
    ("pnpm lint", "linted: pnpm"),
    ("for f in *.py; do mypy $f; done", "linted: mypy"),
    ("git push origin main", "ran git push"),
    ("git -C /x commit -m 'hunter2'", "ran git commit"),
    ("GH_TOKEN=hunter2 gh pr create", "ran gh pr"),
    ("docker compose up -d", "ran docker compose"),
    ("pip install requests==2.1", "installed: requests"),
    ("uv pip install ruff", "installed: ruff"),
    ("npm i @scope/pkg@1.2", "installed: @scope/pkg"),
    ("pip install --index-url https://u:hunter2@h pkg", "installed"),
    ("uv sync", "installed"),
    ("cat src/a.py | head -20", "read: src/a.py"),
    ("sed -n '1,40p' src/b.py", "read: src/b.py"),
    ("sed -i 's/a/hunter2/' setup.sh", "edited: setup.sh"),
    ("cat > setup.sh <<'EOF'\nhunter2\nEOF\npytest", "edited: setup.sh"),
    ("echo hunter2 >> .env", "edited: .env"),
    ("rg hunter2 src | wc -l", "searched"),
    ("ls -la && grep -r x .", "searched"),
    ("ls -la", "listed"),
    ("curl -sS -H 'Authorization: hunter2' https://u:hunter2@api.example.com:8080/x?t=hunter2", "fetched: api.example.com"),
    ("curl --proxy http://u:hunter2@proxy https://example.com", "fetched"),
    ("./scripts/deploy.sh hunter2", "ran: deploy.sh"),
    ("python manage.py migrate", "ran: manage.py"),
    ("python -c 'hunter2'", "ran: python"),
    ('powershell -Command "Get-Content foo.txt"', "read: foo.txt"),
    ("$x = Get-Content a.md", "read: a.md"),
    ("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a/b.py\n+hunter2\nEOF", "edited: a/b.py"),
    ("yarn", "ran: yarn"),
    ("", "ran"),
    ("'", "ran"),
    ("&& ||", "ran"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "crumb"), SHELL)
def test_a_shell_command_becomes_what_its_first_meaningful_part_does(command, crumb):
    verb, target = deed_of(command)

    assert (f"{verb}: {target}" if target else verb) == crumb
    assert "hunter2" not in verb + target


HIDING = [
    "export X='{}' && curl -s https://example.com",
    "X={} Y={} make",
    "X=({} two) ; ls",
    "X=$(echo {} two) make test",
    "$x = '{}'; Get-Content a.md",
    '$env:X = "{}"',
    ": <<EOF\n{}\nEOF\nls",
    ": <<'EOF'\n{}",
    "cat <<EOF | kubectl apply -f -\npassword: {}\nEOF",
    "cat <<< '{}.txt'",
    "mysql -p{} -u root",
    "sshpass -p {} ssh host",
    "psql postgres://u:{}@host/db",
    "docker login -u x -p {}",
    "npx --token {} tool",
    "sudo --password {} ls",
    "env -u {} printenv",
    "echo {} | gh auth login --with-token",
    "git clone https://{}@example.com/x.git",
    "head --password {}.txt",
    "curl -u u:{} -H 'X: https://{}.example.com' https://example.com",
    "bash -c 'TOKEN={} ./run.sh'",
    "python script.py --token {}",
    "read -s {}",
    "set -- {}",
    "# {}\nls",
    "printf '%s' {} > /dev/null",
]


@pytest.mark.parametrize("command", HIDING)
@pytest.mark.parametrize("secret", ["hunter2", "correct-horse", "S3cr3tValue", "ab12cd34ef56"])
def test_no_argument_assignment_or_option_value_comes_out(command, secret):
    for name, call in [
        ("Bash", {"command": command.format(secret, secret)}),
        ("shell", json.dumps({"command": ["bash", "-lc", command.format(secret, secret)]})),
        (
            "exec",
            f"await tools.exec_command({{cmd: {json.dumps(command.format(secret, secret))}}})",
        ),
    ]:
        assert secret.casefold() not in " ".join(deed_of_call(name, call)).casefold()


@pytest.mark.parametrize(
    ("name", "given", "deed"),
    [
        ("Read", {"file_path": "/w/src/a.py"}, ("read", "src/a.py")),
        ("Edit", {"file_path": "/w/setup.sh", "new_string": "x"}, ("edited", "setup.sh")),
        ("Write", {"file_path": "/elsewhere/deep/b.md"}, ("edited", "b.md")),
        ("NotebookEdit", {"notebook_path": "C:\\w\\n.ipynb"}, ("edited", "n.ipynb")),
        ("Grep", {"pattern": "hunter2"}, ("searched", "")),
        ("WebFetch", {"url": "https://u:p@example.com/x?t=1", "prompt": "x"}, ("fetched", "example.com")),
        ("WebSearch", {"query": "x"}, ("searched the web", "")),
        ("Task", {"subagent_type": "Explore", "prompt": "x"}, ("delegated", "Explore")),
        ("AskUserQuestion", {}, ("asked", "")),
        ("TodoWrite", {"todos": ["x"]}, ("planned", "")),
        ("mcp__server__tool", {"x": 1}, ("used", "mcp__server__tool")),
        ("a tool; with words", {}, ("used", "")),
        ("PowerShell", {"command": "Get-Content a.txt"}, ("read", "a.txt")),
        ("exec_command", '{"cmd":"rg --files","workdir":"/tmp"}', ("searched", "")),
        ("shell", '{"command":["bash","-lc","git status"]}', ("ran git status", "")),
        ("shell", '{"command":["pytest","-q","a b"]}', ("ran tests", "pytest")),
        ("shell", "not json at all", ("ran", "")),
        ("shell", '{"command":["apply_patch","*** Begin Patch\\n*** Add File: x.py\\n+1"]}', ("edited", "x.py")),
        ("local_shell", {"type": "exec", "command": ["bash", "-lc", "make"]}, ("built", "make")),
        ("apply_patch", "*** Begin Patch\n*** Update File: a.py\n*** Delete File: b.py", ("edited", "a.py +1")),
        ("apply_patch", '{"input":"*** Begin Patch\\n*** Update File: a.py"}', ("edited", "a.py")),
        ("exec", 'await tools.exec_command({"cmd": "cd web && npm test"});', ("ran tests", "npm")),
        ("exec", "await tools.apply_patch(`*** Begin Patch\n*** Update File: a.py`)", ("edited", "a.py")),
        ("exec", "await tools.view_image({path})", ("read", "")),
        ("exec", "const x = 1", ("ran", "javascript")),
        ("update_plan", '{"plan":[]}', ("planned", "")),
        ("write_stdin", {"chars": "hunter2\n"}, ("used", "write_stdin")),
    ],
)  # fmt: skip
def test_a_tool_call_becomes_a_verb_and_its_object(name, given, deed):
    assert deed_of_call(name, given, "/w") == deed


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/home/jane/src/k/a/b.py", "a/b.py"),
        ("/HOME/jane/src/K/b.py", "b.py"),
        ("/etc/passwd", "passwd"),
        ("../other/x.py", "x.py"),
        ("~/notes.md", "notes.md"),
        ("src/a.py", "src/a.py"),
        ("", ""),
        ("/", ""),
        ("a\nb.py", ""),
        ("name;with=signs.py", ""),
        ("/x/" + "n" * 200, ""),
    ],
)
def test_a_path_is_shown_relative_to_the_directory_or_by_its_name(path, shown):
    assert file_name(path, "/home/jane/src/k") == shown


TOKENS = st.sampled_from(
    """cd && || ; | ( ) ' " ` $( \\ = > >> < << <<EOF EOF env sudo uv run npx bash -c -lc python -m
    pytest git push npm test make A=b $x { } for do done if then sed -i cat curl https://h \n""".split()
) | st.text(max_size=6)


@given(st.lists(TOKENS, max_size=24))
def test_any_command_gives_a_deed_that_is_safe_to_show(tokens):
    verb, target = deed_of(" ".join(tokens))

    assert verb
    assert verb.isprintable()
    assert len(verb) < 40
    assert target.isprintable()
    assert not set(target) & set("=;|&$'\"`<>\\\n")


@given(
    st.text(max_size=20),
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda s: (
            st.lists(s)
            | st.dictionaries(
                st.sampled_from(["command", "cmd", "file_path", "url", "input", "plan"]), s
            )
        ),
    ),
)
def test_any_tool_call_gives_a_deed(name, given_):
    for tool in (name, "Bash", "shell", "Read", "apply_patch", "exec", "WebFetch", "Task"):
        verb, target = deed_of_call(tool, given_)
        assert isinstance(verb, str)
        assert isinstance(target, str)
