@echo off
rem Windows: a double click opens the desk. The program is beside this file, or installed. Ctrl-C closes the desk.
set "PATH=%~dp0;%USERPROFILE%\.cargo\bin;%PATH%"
cd /d "%USERPROFILE%"
shipsheet desk
if errorlevel 1 pause
