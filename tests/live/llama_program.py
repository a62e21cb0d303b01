"""A program that serves a model file on loopback, as Chat Completions: `llama_program.py FILE`.

It prints its port when it answers, and ends with its standard input.  It is started as a process of
its own, by an interpreter that has `xllamacpp`; nothing of Scry is imported here.
"""

import socket
import sys


def main() -> None:
    import xllamacpp

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = xllamacpp.CommonParams()
    settings.model.path = sys.argv[1]
    settings.n_ctx = 8192
    settings.n_parallel = 1
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.offline = True
    settings.cpuparams.n_threads = 1  # Two would wait for each other on a busy machine.
    _server = xllamacpp.Server(settings)
    sys.stdout.write(f"port {port}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
