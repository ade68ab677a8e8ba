# Builds Contexture from its sources and runs the server as a user of its own.
#   docker build -t contexture .
# How to run it, with keys and a volume: docs/operations.md, or compose.yaml

FROM maven:3-eclipse-temurin-21 AS build
WORKDIR /src
COPY . .
# What Maven fetched stays between builds: a change of the sources fetches nothing again.
RUN --mount=type=cache,target=/root/.m2 mvn -q -B -ntp -Dquick -Dmaven.test.skip=true -pl cli -am package

FROM eclipse-temurin:21-jre
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin contexture \
 && install -d -o contexture -g contexture -m 0750 /data /keys
# First what seldom changes, so that its layer stays: the libraries of the summariser.
COPY --from=build /src/cli/target/lib /app/lib
COPY build/health.sh /app/health.sh
COPY --from=build /src/cli/target/contexture.jar /app/contexture.jar
USER contexture
WORKDIR /data
VOLUME /data
# The address is a variable, so that it and others can be changed without saying all options again.
ENV CONTEXTURE_HOST=0.0.0.0 CONTEXTURE_PORT=8321 CONTEXTURE_DATA=/data CONTEXTURE_KEYS=/data/keys
EXPOSE 8321
# No tool is needed for it beside bash and keytool, which the image has.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 CMD ["bash", "/app/health.sh"]
ENTRYPOINT ["java", "--enable-native-access=ALL-UNNAMED", "-XX:MaxRAMPercentage=60", "-XX:+ExitOnOutOfMemoryError", "-Djdk.virtualThreadScheduler.parallelism=16", "-jar", "/app/contexture.jar"]
CMD ["serve"]
