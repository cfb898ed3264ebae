// layout FOLDER TAG ARCHIVE...: an image as an OCI image layout, from an archive as `docker save` writes it; from several, which are the
// same for other architectures, one image with all of them. The same archives give the same layout: layers are compressed without a time,
// and the image has none. Prints the digest of the image.
package main

import (
	"fmt"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: layout FOLDER TAG ARCHIVE...")
		os.Exit(2)
	}
	digest, err := write(os.Args[1], os.Args[2], os.Args[3:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "layout:", err)
		os.Exit(1)
	}
	fmt.Println(digest)
}

func write(folder, tag string, archives []string) (v1.Hash, error) {
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return v1.Hash{}, err
	}
	name := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": tag})
	if len(archives) == 1 {
		image, platform, err := ociImage(archives[0])
		if err != nil {
			return v1.Hash{}, err
		}
		if err := path.AppendImage(image, name, layout.WithPlatform(platform)); err != nil {
			return v1.Hash{}, err
		}
		return image.Digest()
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, archive := range archives {
		image, platform, err := ociImage(archive)
		if err != nil {
			return v1.Hash{}, err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
	}
	if err := path.AppendIndex(index, name); err != nil {
		return v1.Hash{}, err
	}
	return index.Digest()
}

// ociImage has the configuration and the layers of the archive, with the media types of OCI, and says what it is for.
func ociImage(archive string) (v1.Image, v1.Platform, error) {
	// Layers are asked for digest, size and contents: each is compressed once and kept.
	packed, err := tarball.ImageFromPath(archive, nil)
	if err != nil {
		return nil, v1.Platform{}, err
	}
	layers, err := packed.Layers()
	if err != nil {
		return nil, v1.Platform{}, err
	}
	var added []mutate.Addendum
	for _, plain := range layers {
		layer, err := tarball.LayerFromOpener(plain.Uncompressed, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
		if err != nil {
			return nil, v1.Platform{}, err
		}
		added = append(added, mutate.Addendum{Layer: layer, MediaType: types.OCILayer})
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.Append(image, added...); err != nil {
		return nil, v1.Platform{}, err
	}
	config, err := packed.ConfigFile()
	if err != nil {
		return nil, v1.Platform{}, err
	}
	config = config.DeepCopy()
	config.Created = v1.Time{Time: time.Unix(0, 0).UTC()}
	image, err = mutate.ConfigFile(image, config)
	return image, v1.Platform{OS: config.OS, Architecture: config.Architecture}, err
}
