// SPDX-License-Identifier: Apache-2.0
/** An application of Spring Modulith whose externalised events have no names. */
@NullMarked
package io.outledger.spring.contract.nameless;

import org.jspecify.annotations.NullMarked;
