/** The conversations and memory that {@code serve --demo} shows. */
@NullMarked
package dev.contexture.cli.demo;

import org.jspecify.annotations.NullMarked;
