/**
 * Documents that merge: text, list, map and counter that several replicas edit at the same time.
 *
 * <p>Edits go in, on any replica, offline or not; bytes go between replicas; equal values come out
 * wherever the same commits arrived, in whatever order and number. Pure Java, no dependency.
 *
 * <pre>{@code
 * Document ann = Document.create(ReplicaId.of(1));
 * ann.text("notes").append("buy milk");
 * ann.commit(CommitNote.message("first"));
 * Document bob = ann.fork(ReplicaId.of(2));
 * bob.text("notes").splice(4, 0, "oat ");
 * bob.commit();
 * ann.text("notes").append("\ncall Ann");
 * ann.commit();
 * ann.merge(bob.exportSince(ann.version()));
 * ann.text("notes").toString(); // buy oat milk\ncall Ann
 * }</pre>
 *
 * <h2>Algorithm</h2>
 *
 * <p>A document is a log of operations at the positions that their authors saw, a graph that says
 * which operation knew which, and the values now. An operation that knows everything before it acts
 * where it says; that is all one writer ever pays for: an edit of a rope and an entry in a log.
 * Only a stretch of concurrent operations is walked, from the newest operation that all of them
 * know: an ordered tree of runs is built for the stretch, moved between the versions that the
 * authors saw, and turns their positions into positions now. Concurrent insertions are ordered as
 * FugueMax orders them: runs typed at one place, forwards or backwards, never interleave, and the
 * smaller replica id comes first. Maps and counters need no walk: the latest write wins, steps add
 * up.
 *
 * <h2>Bounds</h2>
 *
 * <ul>
 *   <li>Edit: O(log n) amortised, O(1) near the last one; memory per run of typing or deleting, not
 *       per character, beside the inserted text.
 *   <li>Merge: O(m log n) for m operations that follow everything known. A concurrent stretch of k
 *       runs costs O(k log k), and O(d) more whenever the walk changes between branches that differ
 *       by d runs.
 *   <li>Load: O(size of the values); history stays packed until it is asked for.
 *   <li>Old version: O(operations since the trim point).
 *   <li>2<sup>30</sup> operations per document; everything else is in {@link
 *       dev.contexture.crdt.CrdtLimits}.
 * </ul>
 *
 * <h2>Sources</h2>
 *
 * <ul>
 *   <li>Gentle and Kleppmann, "Collaborative Text Editing with Eg-walker: Better, Faster, Smaller",
 *       EuroSys 2025: replaying an event graph.
 *   <li>Weidner and Kleppmann, "The Art of the Fugue: Minimizing Interleaving in Collaborative Text
 *       Editing", 2023: the order.
 *   <li>Sleator and Tarjan, "Self-Adjusting Binary Search Trees", 1985: the trees.
 *   <li>docs/decisions/0007-crdt-algorithm.md has what was measured, docs/formats/crdt.md the
 *       bytes.
 * </ul>
 */
@NullMarked
package dev.contexture.crdt;

import org.jspecify.annotations.NullMarked;
