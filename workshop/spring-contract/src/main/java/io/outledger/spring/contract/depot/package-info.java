// SPDX-License-Identifier: Apache-2.0
/** An application of Spring Modulith, as it was before Outledger but for two names. */
@NullMarked
package io.outledger.spring.contract.depot;

import org.jspecify.annotations.NullMarked;
