/** The description of the API: its tables, and the OpenAPI document and page made of them. */
@NullMarked
package dev.contexture.server.openapi;

import org.jspecify.annotations.NullMarked;
