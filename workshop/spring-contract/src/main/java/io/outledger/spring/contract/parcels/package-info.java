// SPDX-License-Identifier: Apache-2.0
/** An application with JPA entities that raise domain events. */
@NullMarked
package io.outledger.spring.contract.parcels;

import org.jspecify.annotations.NullMarked;
