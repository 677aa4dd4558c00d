// SPDX-License-Identifier: Apache-2.0
/**
 * The whole shop in one process, for a database that lives in the process. Start reading at {@link
 * io.outledger.examples.shop.ShopInOneProcess}.
 */
@NullMarked
package io.outledger.examples.shop;

import org.jspecify.annotations.NullMarked;
