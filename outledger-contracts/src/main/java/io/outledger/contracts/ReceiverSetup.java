// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import io.outledger.inbox.BatchHandler;
import io.outledger.receive.ReceiverListener;
import io.outledger.receive.ReceiverOptions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a test asks of a receiver.
 *
 * @param handler its handler
 * @param options its options
 * @param listener its listener
 * @param unreadable who is told why a delivery cannot be received, which is passed over then; null
 *     for the receiver's default, which must not pass it over
 */
public record ReceiverSetup(
    BatchHandler handler,
    ReceiverOptions options,
    ReceiverListener listener,
    @Nullable Consumer<String> unreadable) {}
