"""Secrets in columns: the head of a table tells, however far above it stands."""

from scry.redact import redact

VALUE = "Maple" + "_53birch"
COLUMNS = "name,pass" + "word"


def test_a_secret_far_below_the_head_of_its_column_is_found():
    for head, row in (
        (f"{COLUMNS}", "jane{},{}"),
        ("| name | password |\n|------|----------|", "| jane{} | {} |"),
        ("INSERT INTO a (name, password) VALUES", "('jane{}', '{}'),"),
    ):
        rows = [row.format(n, VALUE) for n in range(300)]

        redacted = redact("\n".join([head, *rows]))

        assert VALUE not in redacted
        assert redacted.startswith(head)
        assert "jane299" in redacted


def test_only_the_column_that_promises_a_secret_is_masked():
    text = f"{COLUMNS},note\njane,{VALUE},{VALUE}"

    assert redact(text) == f"{COLUMNS},note\njane,[REDACTED:password],{VALUE}"


def test_a_table_ends_where_its_rows_do():
    for text in (
        f"{COLUMNS}\njane,smith\n\njane,{VALUE}",
        f"| a | password |\n|---|---|\n| b | none |\n\n| b | {VALUE} |",
    ):
        assert redact(text) == text


def test_a_masked_row_does_not_hide_the_rows_below_it():
    text = "\n".join([COLUMNS, f"jane,x,password={VALUE}", *["a,b"] * 9, f"bob,{VALUE}"])

    once = redact(text)

    assert redact(once) == once


def test_a_password_in_a_quoted_string_may_hold_quotes():
    value = VALUE + "''x9"

    assert value not in redact(f"INSERT INTO a (id, password) VALUES (1, '{value}')")


def test_the_backtick_that_closes_a_secret_stays_and_so_does_the_next_line():
    assert redact(f"password: `{VALUE}`\nAfterwards all was well") == (
        "password: `[REDACTED:password]`\nAfterwards all was well"
    )
