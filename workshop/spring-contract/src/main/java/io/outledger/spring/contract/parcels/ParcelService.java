// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.parcels;

import java.util.concurrent.CompletableFuture;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Moves parcels. */
@Service
@Transactional
public class ParcelService {

  private final Parcels parcels;

  ParcelService(Parcels parcels) {
    this.parcels = parcels;
  }

  /** Changes a parcel and calls no repository. */
  public void move(String id, String place) {
    parcels.findById(id).orElseThrow().move(place);
  }

  /** Does it in a transaction of its own. */
  @Transactional(propagation = Propagation.REQUIRES_NEW)
  public void moveInNew(String id, String place) {
    move(id, place);
  }

  /** Does it on another thread. */
  @Async
  public CompletableFuture<Void> moveLater(String id, String place) {
    move(id, place);
    return CompletableFuture.completedFuture(null);
  }

  /** Changes a parcel where nothing is written. */
  @Transactional(readOnly = true)
  public void moveInVain(String id, String place) {
    move(id, place);
  }
}
