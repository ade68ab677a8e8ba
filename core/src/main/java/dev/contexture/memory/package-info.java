/**
 * The memory of an agent, as documents that it can edit safely.
 *
 * <p>In: a {@link dev.contexture.memory.schema.BlockSchema}, the level of permission, who acts, and
 * operations. Out: edits of a document that merges, checked by one gate, and the content as a
 * prompt shows it. Nothing here stores, locks or waits.
 *
 * <p>Invariants: a refused operation changes nothing; no operation writes without the {@link
 * dev.contexture.memory.permission.PermissionGate}; nothing is stored that the schema does not
 * render; read-only parts and stored log entries are written by the system only.
 *
 * <pre>{@code
 * StructuredDocument todo = StructuredDocument.of(ListSchema.ofAnything());
 * todo.append("{\"title\":\"Ship\",\"done\":true}");
 * todo.commit("first"); // 1
 * todo.render(); // [x] title: Ship
 * }</pre>
 *
 * <h2>For the engine</h2>
 *
 * <ul>
 *   <li><b>Load.</b> {@link dev.contexture.memory.DocumentState} is the committed content of a
 *       block: {@code empty} or {@code load(checkpointSeq, bytes, …)}, then {@code apply(seq,
 *       delta)} for each stored update. Its versions are the seqs of the block. It is confined to
 *       one thread at a time: guard the cached one by the block's lock, give away {@code
 *       fork(freshReplica)}.
 *   <li><b>Handle.</b> {@code StructuredDocument.open(state.fork(…), host, actor)}; the {@link
 *       dev.contexture.memory.DocumentHost} answers {@code settings()} for every operation (level,
 *       schema, limits in force) and gets {@code publish(PendingCommit)} from {@code commit()}.
 *       Store operations such as {@code appendToBlock} open a handle, do one operation, commit.
 *   <li><b>Publish.</b> In a loop of at most {@code limits.writeAttempts()} repetitions: bring the
 *       cached state up to date; {@code commit.requireAllowed(settings)} throws {@code
 *       permission_denied} or returns the {@link dev.contexture.memory.permission.ConsentRequest}
 *       to be asked without locks, and {@code request.refused(reason, cause)} is the failure; after
 *       a grant decide again; {@code state.prepare(commit, settings)} validates and gives the next
 *       state, the preview and the changed parts and leaves the state as it is; store {@code
 *       commit.delta()}, {@code commit.actor()}, {@code commit.operation()}, {@code
 *       commit.message()}; when that is durable keep {@code prepared.state()} and tell {@code
 *       subscriptions().publish(…)} outside all locks. Return the new seq. A handle of another
 *       version than the one before it calls {@code host.current()} then.
 *   <li><b>Undo.</b> Every commit is a step and steps are undone newest first, so the content is
 *       what it was after the step: {@code state.restore(step - 1, UNDO, …)} is its inverse, a
 *       pending commit for the same loop. Put the seq of the undo on the redo list; redo is {@code
 *       restore(undoSeq - 1, REDO, …)} and puts its own seq on the undo list. Steps with {@code
 *       step - 1 < state.oldest()} cannot be undone. An empty result has nothing to store.
 *   <li><b>Time travel</b> {@code state.at(seq, schema)}; <b>consolidation</b> {@code
 *       state.checkpoint(seq)} gives the bytes for {@code load}, {@code state.trim(seq)} forgets in
 *       memory; <b>schema change</b> {@code state.checkSchema(now, wanted, limits)} and {@code
 *       type.check(wanted)}.
 *   <li><b>Stored schema</b> {@code BlockSchema.stored(text)}; all refusals of the documents
 *       beneath come as {@code store_damaged}, {@code unsupported_format}, {@code history_trimmed}.
 * </ul>
 */
@NullMarked
package dev.contexture.memory;

import org.jspecify.annotations.NullMarked;
