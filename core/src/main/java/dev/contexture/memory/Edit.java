package dev.contexture.memory;

import dev.contexture.memory.permission.Actor;
import dev.contexture.memory.permission.OperationClass;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a pending commit: what the gate needs to decide again. Immutable.
 *
 * @param section the section it writes; absent for the document itself
 * @param field the field it writes; absent if it is not about one
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Edit(
    Actor actor,
    MemoryOperation operation,
    OperationClass operationClass,
    @Nullable String section,
    @Nullable String field) {}
