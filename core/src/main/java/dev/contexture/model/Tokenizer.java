package dev.contexture.model;

import java.math.BigDecimal;
import org.apiguardian.api.API;

/**
 * The relation of a model's tokens to those of an encoding that can be counted here.
 *
 * @param name the catalogue's name for it
 * @param base the encoding to count with
 * @param ratio tokens of the model per token of the encoding
 * @param priorError how far off that may be before anything was measured
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Tokenizer(String name, String base, BigDecimal ratio, BigDecimal priorError) {}
