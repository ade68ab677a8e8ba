/**
 * Commands for whoever runs a server or keeps a store: serve, keys, audit, retention, backup, copy,
 * erase, doctor.
 */
@NullMarked
package dev.contexture.cli.operation;

import org.jspecify.annotations.NullMarked;
