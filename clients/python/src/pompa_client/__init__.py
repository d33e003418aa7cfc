"""A client of the API of Pompa: fuel prices in Romania."""

from . import _models as models
from ._client import PompaClient, StationsWithCursor
from ._errors import (
    BadRequestError,
    CursorGoneError,
    ForbiddenError,
    KeyRefusedError,
    KeyUnverifiedError,
    MonthlyQuotaError,
    NetworkError,
    NotFoundError,
    PompaError,
    RateLimitError,
    RefusedError,
    ServerError,
    UnavailableError,
    UnexpectedAnswerError,
    WeeklyCapError,
)
from ._transport import Quota
from ._version import __version__
from ._webhook import VerifiedWebhook, WebhookPayload, WebhookRefusedError, verify_webhook

__all__ = [
    "BadRequestError",
    "CursorGoneError",
    "ForbiddenError",
    "KeyRefusedError",
    "KeyUnverifiedError",
    "MonthlyQuotaError",
    "NetworkError",
    "NotFoundError",
    "PompaClient",
    "PompaError",
    "Quota",
    "RateLimitError",
    "RefusedError",
    "ServerError",
    "StationsWithCursor",
    "UnavailableError",
    "UnexpectedAnswerError",
    "VerifiedWebhook",
    "WebhookPayload",
    "WebhookRefusedError",
    "WeeklyCapError",
    "__version__",
    "models",
    "verify_webhook",
]
