// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import java.util.function.BooleanSupplier;

/**
 * What all routes of an owner share.
 *
 * @param pendingSave what the next save is to write
 * @param lacked what is declared and the owner does not have
 * @param pauses what is paused
 * @param mayPublish asked before each message whether it may still be sent
 * @param share how much of the window each may fill with what cannot go out
 */
record SharedByRoutes(
    PendingSave pendingSave,
    LackedDeclarations lacked,
    KnownPauses pauses,
    BooleanSupplier mayPublish,
    RouteShare share) {}
