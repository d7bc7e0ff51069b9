@echo off
rem Windows: a double click opens the desk. Ctrl-C closes it.
shipsheet desk
if errorlevel 1 pause
