/** What is known about models. In: their names. Out: values that other steps ask for facts. */
@NullMarked
package dev.contexture.model;

import org.jspecify.annotations.NullMarked;
