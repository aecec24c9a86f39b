"""`os`, with the names that it has lost."""

from os import *  # noqa: F403
from os import getcwd
from os import path as path

getcwdu = getcwd
