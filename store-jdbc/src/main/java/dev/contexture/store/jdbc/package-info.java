/**
 * The code that stores over a relational database share: applying rows, checking preconditions,
 * reading, the form of rows, the outbox, erasing and migrations.
 *
 * <p>In: a {@link dev.contexture.store.jdbc.Db}, that is a connection with its {@link
 * dev.contexture.store.jdbc.SqlDialect}. Out: a {@link dev.contexture.store.jdbc.JdbcStore}, which
 * lacks only how work gets to a connection, when it is committed, and what a failure means.
 * Invariants: every row carries a checksum of what it says, which every reading checks; a write set
 * is applied inside one transaction, which whoever runs it undoes after a conflict or a failure.
 */
@NullMarked
package dev.contexture.store.jdbc;

import org.jspecify.annotations.NullMarked;
