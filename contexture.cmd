@echo off
rem Runs the contexture command on Windows. Build it first: mvn -q -Dquick -Dmaven.test.skip=true -pl cli -am package
setlocal
set "JAR=%~dp0cli\target\contexture.jar"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
if defined CONTEXTURE_JAVA_HOME set "JAVA=%CONTEXTURE_JAVA_HOME%\bin\java"
if exist "%JAR%" goto run
echo contexture: %JAR% is missing; build it: mvn -q -Dquick -Dmaven.test.skip=true -pl cli -am package 1>&2
exit /b 1
:run
"%JAVA%" -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED %CONTEXTURE_JAVA_OPTS% -jar "%JAR%" %*
