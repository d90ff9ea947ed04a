"""A small client of S3: signed requests (AWS Signature Version 4), one connection each."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import os
from datetime import datetime, timezone
from urllib.parse import quote, urlsplit


class S3Client:
    """Sends requests to the bucket and the endpoint that the environment of the program has."""

    def __init__(self, bucket: str):
        self.bucket = bucket
        self.endpoint = urlsplit(os.environ["AWS_ENDPOINT"])
        self.region = os.environ["AWS_REGION"]
        self.keys = (os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"])

    def get(self, key: str) -> bytes | None:
        """Returns an object, or `None` if it does not exist."""
        status, body = self.request("GET", key)
        assert status in (200, 404), (status, body)
        return body if status == 200 else None

    def request(
        self,
        method: str,
        key: str,
        body: bytes = b"",
        headers: dict[str, str] | None = None,
        query: dict[str, str] | None = None,
    ) -> tuple[int, bytes]:
        """Sends a request. Returns the status and the body of the answer."""
        path = quote(f"/{self.bucket}/{key}")
        pairs = sorted((query or {}).items())
        parameters = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in pairs)
        now = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        digest = hashlib.sha256(body).hexdigest()
        sent = {"host": self.endpoint.netloc, "x-amz-content-sha256": digest, "x-amz-date": now, **(headers or {})}
        names = ";".join(sorted(sent))
        lines = [method, path, parameters, *(f"{name}:{sent[name]}" for name in sorted(sent)), "", names, digest]
        scope = f"{now[:8]}/{self.region}/s3/aws4_request"
        hashed = hashlib.sha256("\n".join(lines).encode()).hexdigest()
        key_of_day = f"AWS4{self.keys[1]}".encode()
        for part in scope.split("/"):
            key_of_day = signature(key_of_day, part)
        proof = signature(key_of_day, f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashed}").hex()
        credential = f"Credential={self.keys[0]}/{scope},SignedHeaders={names},Signature={proof}"
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        connection = kinds[self.endpoint.scheme](self.endpoint.netloc, timeout=120)
        try:
            target = f"{path}?{parameters}" if parameters else path
            connection.request(method, target, body, {**sent, "authorization": f"AWS4-HMAC-SHA256 {credential}"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def signature(key: bytes, text: str) -> bytes:
    """Returns the keyed hash of a text."""
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
