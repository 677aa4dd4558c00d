// SPDX-License-Identifier: Apache-2.0
/**
 * The stories that do not differ between databases, each told once: the steps in Java, over
 * statements that every supported database understands. What a product needs otherwise is a text,
 * or an object, that its module passes in. Only database modules use this package; applications
 * need nothing of it.
 *
 * <p>Append, poll, save and the proof of dead holes are not here: those are whole in each module.
 */
@NullMarked
package io.outledger.jdbc.sql;

import org.jspecify.annotations.NullMarked;
