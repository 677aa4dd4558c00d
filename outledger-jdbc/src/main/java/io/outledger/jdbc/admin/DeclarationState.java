// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.store.Declaration;
import java.time.Instant;

/**
 * What an instance has declared to handle.
 *
 * @param owner the subscription or consumer
 * @param declaration the route, and which messages it takes
 * @param isEnded whether an operator has ended it
 * @param declaredBy the instance that has declared or ended it last
 * @param declaredAt when, by the database's clock
 */
public record DeclarationState(
    Reader owner,
    Declaration declaration,
    boolean isEnded,
    String declaredBy,
    Instant declaredAt) {}
