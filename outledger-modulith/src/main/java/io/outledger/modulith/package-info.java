// SPDX-License-Identifier: Apache-2.0
/**
 * Spring Modulith's externalised events leave through the outbox: {@link
 * io.outledger.modulith.OutledgerModulithAutoConfiguration} sets it up where both are there.
 */
@NullMarked
package io.outledger.modulith;

import org.jspecify.annotations.NullMarked;
