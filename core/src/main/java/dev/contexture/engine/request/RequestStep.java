package dev.contexture.engine.request;

/** A step of {@link RequestPipeline}: reads what earlier steps found and adds its part. */
@FunctionalInterface
interface RequestStep {
  void run(RequestState state);
}
