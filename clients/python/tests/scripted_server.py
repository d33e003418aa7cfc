"""A server on loopback that gives prepared answers, one after the other."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import TracebackType
from typing import Any, Dict, List, NamedTuple, Optional, Type


class Answer(NamedTuple):
    status: int = 200
    body: Any = None
    headers: Dict[str, str] = {}
    text: Optional[str] = None
    """Instead of the body."""


class ScriptedServer:
    """Use it in `with`; `requests` has the line and headers of every request."""

    def __init__(self, *answers: Answer) -> None:
        self.requests: List[Dict[str, str]] = []
        left = list(answers)
        requests = self.requests

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(size).decode()
                requests.append({"path": self.path, "body": body, **{k.lower(): v for k, v in self.headers.items()}})
                answer = left.pop(0)
                data = (json.dumps(answer.body) if answer.text is None else answer.text).encode()
                self.send_response(answer.status)
                for name, value in {"Content-Length": str(len(data)), **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> ScriptedServer:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
