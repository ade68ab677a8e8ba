# Builds Contexture from its sources and runs the server as a user of its own.
#   docker build -t contexture .
# How to run it, with keys and a volume: docs/operations.md

FROM maven:3-eclipse-temurin-21 AS build
WORKDIR /src
COPY . .
RUN mvn -q -B -ntp -Dquick -Dmaven.test.skip=true -pl cli -am package

FROM eclipse-temurin:21-jre
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin contexture \
 && install -d -o contexture -g contexture -m 0750 /data
COPY --from=build /src/cli/target/contexture.jar /app/contexture.jar
COPY --from=build /src/cli/target/lib /app/lib
USER contexture
WORKDIR /data
VOLUME /data
EXPOSE 8321
# No tool is needed for it beside bash, which the image has.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/8321 && printf 'GET /readyz HTTP/1.0\\r\\nHost: 127.0.0.1\\r\\n\\r\\n' >&3 && grep -q '\"status\":\"ready\"' <&3"]
ENTRYPOINT ["java", "--enable-native-access=ALL-UNNAMED", "-XX:MaxRAMPercentage=60", "-XX:+ExitOnOutOfMemoryError", "-Djdk.virtualThreadScheduler.parallelism=16", "-jar", "/app/contexture.jar"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data", "--keys", "/data/keys"]
