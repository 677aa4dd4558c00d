// SPDX-License-Identifier: Apache-2.0
/**
 * The receiver: takes what a broker delivers, has it take effect once, and sets aside what fails.
 * {@link io.outledger.receive.Receiver} does it for every broker; a broker's module brings a {@link
 * io.outledger.receive.Source}, a database a {@link io.outledger.receive.ReceiverStore}.
 */
@NullMarked
package io.outledger.receive;

import org.jspecify.annotations.NullMarked;
