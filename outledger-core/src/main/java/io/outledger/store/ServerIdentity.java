// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

/**
 * Who answered a statement. A pool, a proxy or a fail-over may switch servers unseen; a relay that
 * is answered by another server forgets everything and loads again.
 *
 * @param started when the server started, in its own words
 * @param timeline the timeline it writes
 */
public record ServerIdentity(String started, String timeline) {}
