// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.database.Product;
import io.outledger.servers.SmallDisk;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a shop is to be like.
 *
 * @param product which database it is on
 * @param folder where histories and outputs go
 * @param lease how long the relays' lease lasts
 * @param cast who plays
 * @param disk where database servers keep their data; null for the usual place. Whoever made it
 *     closes it, after the shop
 */
public record ShopPlan(
    Product product, Path folder, Duration lease, Cast cast, @Nullable SmallDisk disk) {

  Path history(String name) {
    return folder.resolve(name + ".history");
  }

  Path output(String name) {
    return folder.resolve(name + ".output");
  }
}
