package dev.contexture.engine.request;

/**
 * Takes over how the body was judged. A format proves what it writes at once, because a repair is
 * written again; a body that cannot be repaired has been refused by then.
 */
final class ProveStep implements RequestStep {
  @Override
  public void run(RequestState state) {
    state.repairs = state.request().repairs();
  }
}
