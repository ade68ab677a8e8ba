package dev.contexture.seeds;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Gives every property its {@link TestSeed}. jqwik finds it as a service. Thread-safe. */
public final class PropertySeed implements AroundPropertyHook {
  private static final int OUTERMOST = -100;

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public int aroundPropertyProximity() {
    return OUTERMOST;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    PropertyAttributes attributes = context.attributes();
    if (attributes.seed().isEmpty()) {
      String name = context.containerClass().getName() + "." + context.targetMethod().getName();
      attributes.setSeed(Long.toString(TestSeed.of(name.hashCode())));
    }
    int usual = attributes.tries().orElse(0);
    int tries = TestSeed.tries(usual);
    if (usual != 1 && tries != usual) { // one try: an example
      attributes.setTries(tries);
    }
    return property.execute();
  }
}
