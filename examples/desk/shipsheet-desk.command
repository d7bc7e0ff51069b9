#!/bin/sh
# macOS: a double click opens the desk. Closing the window closes it.
exec shipsheet desk
